// Shows what a plan row changes in its item, field by field.
import type { PlanRow } from '@yagura/core/alerthub/bulk/bulk-job';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { DiffView } from '../../ui/text/diff-view.tsx';
import { useTranslation } from '../../ui/translation.tsx';

type Body = Record<string, unknown>;

/** Maximum length in characters; longer values are collapsed. */
const maxInlineLength = 80;

export function PlanChange({ row }: { row: PlanRow }) {
  const { t, fieldLabel } = useTranslation();
  const before = (row.before ?? {}) as Body;
  const after = (row.after ?? {}) as Body;
  if (row.operation === 'unchanged') return <span className="text-muted">—</span>;
  if (row.operation !== 'update') {
    const body = row.operation === 'create' ? after : before;
    return (
      <Collapsible title={t('bulk.show-values')}>
        <dl className="mt-1 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 text-xs">
          {Object.entries(body).map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{fieldLabel(name)}</dt>
              <dd className="font-mono break-all whitespace-pre-wrap">{formatJson(value)}</dd>
            </div>
          ))}
        </dl>
      </Collapsible>
    );
  }
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => formatJson(before[name]) !== formatJson(after[name]),
  );
  return (
    <ul className="grid gap-1 text-xs">
      {changed.map((name) => (
        <li key={name}>
          <FieldChange
            name={fieldLabel(name)}
            before={formatJson(before[name])}
            after={formatJson(after[name])}
          />
        </li>
      ))}
    </ul>
  );
}

function FieldChange({ name, before, after }: { name: string; before: string; after: string }) {
  const { t } = useTranslation();
  if (before.length > maxInlineLength || after.length > maxInlineLength || /\n/.test(before + after)) {
    return (
      <Collapsible title={name}>
        <DiffView before={before} after={after} caption={t('bulk.difference', { field: name })} />
      </Collapsible>
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

function Collapsible({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="[--turn:0deg] open:[--turn:90deg]">
      <summary className="inline-flex min-h-6 items-center gap-1 rounded-sm text-xs text-muted hover:text-text">
        <Icon name="right" size={13} className="rotate-(--turn)" />
        {title}
      </summary>
      {children}
    </details>
  );
}

function formatJson(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
