// Table of an item's fields, one per row.
import type { FieldMeta } from '@yagura/core/resource/field';
import type { ReactNode } from 'react';
import type { References } from '../references.ts';
import { FieldValue } from '../text/field-value.tsx';
import { useTranslation } from '../translation.tsx';

export interface InfoRow {
  name: string;
  /** Looked up by name if absent. */
  label?: string;
  meta?: FieldMeta;
  value?: unknown;
  /** Rendered instead of the value. */
  children?: ReactNode;
}

export function InfoTable(props: { rows: InfoRow[]; references?: References; caption?: string }) {
  const { fieldLabel } = useTranslation();
  return (
    <dl
      aria-label={props.caption}
      className="grid grid-cols-1 text-sm sm:grid-cols-[minmax(9rem,max-content)_minmax(0,1fr)]"
    >
      {props.rows.map((row) => (
        <div key={row.name} className="contents">
          <dt className="pt-2 text-muted sm:border-b sm:border-line sm:py-2 sm:pr-6">
            {row.label ?? fieldLabel(row.name)}
          </dt>
          <dd className="min-w-0 border-b border-line pb-2 break-words sm:py-2">
            {row.children ??
              (row.meta && (
                <FieldValue meta={row.meta} name={row.name} value={row.value} references={props.references} />
              ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
