// What a row of a plan does to its item, field by field.
import type { PlanRow } from '@yagura/core/alerthub/bulk/bulk-job';
import { DiffView } from '../../ui/diff-view.tsx';
import { useWords } from '../../ui/words.tsx';

type Body = Record<string, unknown>;

/** Longer values are folded. */
const shortText = 80;

export function PlanChange({ row }: { row: PlanRow }) {
  const { t, label } = useWords();
  const before = (row.before ?? {}) as Body;
  const after = (row.after ?? {}) as Body;
  if (row.operation === 'unchanged') return <span className="text-muted">—</span>;
  if (row.operation !== 'update') {
    const body = row.operation === 'create' ? after : before;
    return (
      <details>
        <summary className="min-h-6 w-fit">{t('bulk.show-values')}</summary>
        <dl className="mt-1 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 text-xs">
          {Object.entries(body).map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{label(name)}</dt>
              <dd className="font-mono break-all whitespace-pre-wrap">{textOf(value)}</dd>
            </div>
          ))}
        </dl>
      </details>
    );
  }
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => textOf(before[name]) !== textOf(after[name]),
  );
  return (
    <ul className="grid gap-1 text-xs">
      {changed.map((name) => (
        <li key={name}>
          <Change name={label(name)} before={textOf(before[name])} after={textOf(after[name])} />
        </li>
      ))}
    </ul>
  );
}

function Change({ name, before, after }: { name: string; before: string; after: string }) {
  const { t } = useWords();
  if (before.length > shortText || after.length > shortText || /\n/.test(before + after)) {
    return (
      <details>
        <summary className="min-h-6 w-fit">{name}</summary>
        <DiffView before={before} after={after} caption={t('bulk.difference', { field: name })} />
      </details>
    );
  }
  return (
    <>
      <span className="text-muted">{name}: </span>
      <del className="rounded-sm bg-danger-bg px-1 font-mono break-all text-danger-fg">{before || '—'}</del>
      {' → '}
      <ins className="rounded-sm bg-success-bg px-1 font-mono break-all text-success-fg no-underline">
        {after || '—'}
      </ins>
    </>
  );
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
