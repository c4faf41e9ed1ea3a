// JSON for reading: indented, foldable by level, drawn a slice at a time so that huge values cost no more than what is seen.
import { useState } from 'react';
import { classes } from './classes.ts';
import { useWords } from './words.tsx';

/** Members drawn at once per level. */
const slice = 100;
/** Levels open at first. */
const openLevels = 2;
/** Levels drawn at all; deeper ones are printed as text. */
const maxLevels = 40;

export function JsonView({ value }: { value: unknown }) {
  return (
    <div className="overflow-x-auto rounded-md border border-line bg-surface-sunken p-2 font-mono text-xs leading-5">
      <Node value={value} level={0} comma={false} />
    </div>
  );
}

function Node(props: { name?: string; value: unknown; level: number; comma: boolean }) {
  const { value, level } = props;
  const label =
    props.name === undefined ? null : <span className="text-info-fg">{JSON.stringify(props.name)}: </span>;
  const end = props.comma ? ',' : '';
  if (typeof value !== 'object' || value === null || level >= maxLevels) {
    return (
      <div className="pl-4 break-all whitespace-pre-wrap">
        {label}
        <span className={colourOf(value)}>{JSON.stringify(value) ?? 'null'}</span>
        {end}
      </div>
    );
  }
  const list = Array.isArray(value);
  const members = list ? value.map((item) => [undefined, item] as const) : Object.entries(value);
  const [open, close] = list ? '[]' : '{}';
  if (members.length === 0) {
    return (
      <div className="pl-4">
        {label}
        {open}
        {close}
        {end}
      </div>
    );
  }
  return (
    <details open={level < openLevels} className="pl-4 [--turn:0deg] open:[--turn:90deg]">
      <summary className="-ml-4 rounded-sm hover:bg-hover">
        <span
          aria-hidden="true"
          className="inline-block w-4 rotate-(--turn) text-center text-muted select-none"
        >
          ▸
        </span>
        {label}
        {open}
        <span className="text-muted"> {members.length} </span>
        <span className="text-muted">{close}</span>
      </summary>
      <Members members={members} level={level} />
      <div>
        {close}
        {end}
      </div>
    </details>
  );
}

function Members(props: { members: readonly (readonly [string | undefined, unknown])[]; level: number }) {
  const { t } = useWords();
  const [count, setCount] = useState(slice);
  const rest = props.members.length - count;
  return (
    <>
      {props.members.slice(0, count).map(([name, value], place) => (
        <Node
          key={name ?? place}
          name={name}
          value={value}
          level={props.level + 1}
          comma={place < props.members.length - 1}
        />
      ))}
      {rest > 0 && (
        <button
          type="button"
          onClick={() => setCount(count + slice)}
          className="ml-4 min-h-6 rounded-sm px-1 font-sans text-primary hover:bg-hover"
        >
          {t('ui.show-more', { count: Math.min(rest, slice) })}
        </button>
      )}
    </>
  );
}

function colourOf(value: unknown): string {
  return classes(
    typeof value === 'string' && 'text-success-fg',
    typeof value === 'number' && 'text-progress-fg',
    (typeof value === 'boolean' || value === null) && 'text-warning-fg',
  );
}
