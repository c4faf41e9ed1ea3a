// JSON viewer: indented, collapsible and searchable; renders in slices, so that a huge value costs no more
// than its visible part.
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { useTranslation } from '../translation.tsx';
import { HighlightedText } from './highlighted-text.tsx';
import {
  branchesToOpen,
  countLines,
  findMatches,
  formatScalar,
  type JsonMatch,
  jsonMembers,
  searchPattern,
} from './json-matches.ts';
import { JsonSearch } from './json-search.tsx';

/** Members rendered at once per level. */
const pageSize = 100;
/** Levels expanded at first. */
const initiallyOpenLevels = 2;
/** Values with fewer lines are fully visible and have no search box. */
const minLinesForSearch = 10;

interface SearchState {
  pattern: RegExp | undefined;
  current: JsonMatch | undefined;
  /** Branches expanded by the last search step. */
  openBranches: ReadonlySet<string>;
}

const noSearch: SearchState = { pattern: undefined, current: undefined, openBranches: new Set() };
const SearchContext = createContext<SearchState>(noSearch);

export function JsonView({ value }: { value: unknown }) {
  const [text, setText] = useState('');
  const [matchIndex, setMatchIndex] = useState(0);
  const [moved, setMoved] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const matches = useMemo(() => findMatches(value, text), [value, text]);
  const search = useMemo((): SearchState => {
    const current = matches[matchIndex];
    // Each step expands the path to one hit; branches that the user has collapsed stay collapsed.
    const openBranches = branchesToOpen(moved && current ? [current] : matches);
    return { pattern: searchPattern(text), current, openBranches };
  }, [matches, matchIndex, moved, text]);

  useEffect(() => {
    if (search.current) box.current?.querySelector('[data-current]')?.scrollIntoView({ block: 'nearest' });
  }, [search]);

  return (
    <div className="rounded-md border border-line bg-surface-sunken">
      {countLines(value, minLinesForSearch) >= minLinesForSearch && (
        <JsonSearch
          text={text}
          index={matchIndex}
          total={matches.length}
          onText={(next) => {
            setText(next);
            setMatchIndex(0);
            setMoved(false);
          }}
          onStep={(step) => {
            setMatchIndex((matchIndex + step + matches.length) % matches.length);
            setMoved(true);
          }}
        />
      )}
      <div ref={box} className="overflow-x-auto p-2 font-mono text-xs leading-6">
        <SearchContext value={search}>
          <Node path="" value={value} level={0} comma={false} />
        </SearchContext>
      </div>
    </div>
  );
}

interface NodeProps {
  path: string;
  name?: string;
  value: unknown;
  level: number;
  comma: boolean;
}

function Node(props: NodeProps) {
  const { path, value, level } = props;
  const members = jsonMembers(value, level);
  const label = props.name === undefined ? null : <Name path={path} name={props.name} />;
  const end = props.comma ? ',' : '';
  if (!members) {
    return (
      <div className="pl-4 break-all whitespace-pre-wrap">
        {label}
        <span className={colourOf(value)}>
          <MatchedText path={path} part="value" text={formatScalar(value)} />
        </span>
        {end}
      </div>
    );
  }
  const brackets = Array.isArray(value) ? '[]' : '{}';
  if (members.length === 0) {
    return (
      <div className="pl-4">
        {label}
        {brackets}
        {end}
      </div>
    );
  }
  return <Branch path={path} level={level} label={label} brackets={brackets} end={end} members={members} />;
}

type NamedMembers = readonly (readonly [string | undefined, unknown])[];

function Branch(props: {
  path: string;
  level: number;
  label: React.ReactNode;
  brackets: string;
  end: string;
  members: NamedMembers;
}) {
  const search = useContext(SearchContext);
  const [open, setOpen] = useState(props.level < initiallyOpenLevels || search.openBranches.has(props.path));
  const [seen, setSeen] = useState(search);
  if (seen !== search) {
    setSeen(search);
    if (search.openBranches.has(props.path)) setOpen(true);
  }
  const [begin, close] = props.brackets;
  return (
    <details
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="pl-4 [--turn:0deg] open:[--turn:90deg]"
    >
      <summary className="-ml-4 min-h-6 rounded-sm hover:bg-hover">
        <span
          aria-hidden="true"
          className="inline-block w-4 rotate-(--turn) text-center text-muted select-none"
        >
          ▸
        </span>
        {props.label}
        {begin}
        <span className="text-muted"> {props.members.length} </span>
        <span className="text-muted">{close}</span>
      </summary>
      <Members path={props.path} members={props.members} level={props.level} />
      <div>
        {close}
        {props.end}
      </div>
    </details>
  );
}

function Members(props: { path: string; members: NamedMembers; level: number }) {
  const { t } = useTranslation();
  const { current } = useContext(SearchContext);
  const [count, setCount] = useState(pageSize);
  const prefix = `${props.path}/`;
  const currentIndex = current?.path.startsWith(prefix)
    ? Number.parseInt(current.path.slice(prefix.length), 10)
    : -1;
  if (currentIndex >= count) setCount(Math.ceil((currentIndex + 1) / pageSize) * pageSize);
  const rest = props.members.length - count;
  return (
    <>
      {props.members.slice(0, count).map(([name, value], index) => (
        <Node
          key={name ?? index}
          path={`${prefix}${index}`}
          name={name}
          value={value}
          level={props.level + 1}
          comma={index < props.members.length - 1}
        />
      ))}
      {rest > 0 && (
        <button
          type="button"
          onClick={() => setCount(count + pageSize)}
          className="ml-4 min-h-6 rounded-sm px-1 font-sans text-primary hover:bg-hover"
        >
          {t('ui.show-more', { count: Math.min(rest, pageSize) })}
        </button>
      )}
    </>
  );
}

function Name({ path, name }: { path: string; name: string }) {
  return (
    <span className="text-info-fg">
      <MatchedText path={path} part="name" text={formatScalar(name)} />:{' '}
    </span>
  );
}

/** Text with highlighted hits. */
function MatchedText({ path, part, text }: { path: string; part: JsonMatch['part']; text: string }) {
  const { pattern, current } = useContext(SearchContext);
  return (
    <HighlightedText
      text={text}
      pattern={pattern}
      current={current?.path === path && current.part === part}
    />
  );
}

function colourOf(value: unknown): string {
  return classNames(
    typeof value === 'string' && 'text-success-fg',
    typeof value === 'number' && 'text-progress-fg',
    (typeof value === 'boolean' || value === null) && 'text-warning-fg',
  );
}
