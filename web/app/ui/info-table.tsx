// What is known of one thing, name by name.
import type { FieldFacts } from '@yagura/core/resource/field';
import type { ReactNode } from 'react';
import { FieldValue } from './field-value.tsx';
import type { References } from './references.ts';
import { useWords } from './words.tsx';

export interface InfoRow {
  name: string;
  /** Looked up by the name when absent. */
  label?: string;
  facts?: FieldFacts;
  value?: unknown;
  /** Drawn instead of the value. */
  children?: ReactNode;
}

export function InfoTable(props: { rows: InfoRow[]; references?: References; caption?: string }) {
  const { label } = useWords();
  return (
    <dl
      aria-label={props.caption}
      className="grid grid-cols-1 text-sm sm:grid-cols-[minmax(9rem,max-content)_minmax(0,1fr)]"
    >
      {props.rows.map((row) => (
        <div key={row.name} className="contents">
          <dt className="pt-2 text-muted sm:border-b sm:border-line sm:py-2 sm:pr-6">
            {row.label ?? label(row.name)}
          </dt>
          <dd className="min-w-0 border-b border-line pb-2 break-words sm:py-2">
            {row.children ??
              (row.facts && (
                <FieldValue
                  facts={row.facts}
                  name={row.name}
                  value={row.value}
                  references={props.references}
                />
              ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
