// Short list inside another page; its rows link to their items.
import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { isWrapping } from '../../ui/text/kind-layout.ts';
import { ShortValue } from '../../ui/text/short-value.tsx';
import { isUpcoming } from '../../ui/text/use-age.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { ShortTime } from '../short-time.tsx';
import type { MiniData } from './mini-data.server.ts';

type Row = Record<string, unknown>;

/**
 * `columns` are the fields to show, in this order; the first that is neither a badge nor a reference contains
 * the row's link. `extra` adds a cell at the end.
 */
export function MiniTable<Name extends string>(props: {
  data: MiniData<Name>;
  columns: readonly NoInfer<Name>[];
  caption: string;
  empty?: ReactNode;
  /** Columns hidden on small screens. */
  hiddenOnMobile?: readonly NoInfer<Name>[];
  extra?: { label: string; render: (row: Row) => ReactNode };
  /** Shown after the value of a column, by its name, or instead of an empty value. */
  notes?: Partial<Record<NoInfer<Name>, (row: Row) => ReactNode>>;
}) {
  const { fieldLabel } = useTranslation();
  const { data, hiddenOnMobile = [], extra } = props;
  const columns = props.columns.map((name) => ({ name, meta: data.fields[name] }));
  if (data.rows.length === 0) return <>{props.empty ?? <Placeholder kind="empty" />}</>;
  const linked = columns.find(({ meta }) => !meta.tones && meta.kind !== 'reference')?.name;
  const hide = (name: Name) => (hiddenOnMobile.includes(name) ? 'max-sm:hidden' : '');
  return (
    // The panel around it is already the landmark with this name; a group is not a landmark.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <div role="group" aria-label={props.caption} tabIndex={0} className="relative overflow-x-auto">
      <table className="w-full text-sm">
        <caption className="sr-only">{props.caption}</caption>
        <thead>
          <tr className="border-b border-line text-left text-xs text-muted">
            {columns.map(({ name }) => (
              <th
                key={name}
                scope="col"
                className={`px-3 py-1.5 font-medium whitespace-nowrap first:pl-4 ${hide(name)}`}
              >
                {fieldLabel(name)}
              </th>
            ))}
            {extra && (
              <th scope="col" className="px-3 py-1.5">
                <span className="sr-only">{extra.label}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => {
            const id = String(row[data.id]);
            const href = data.hrefs[id];
            return (
              <tr key={id} className="relative border-b border-line last:border-0 has-[a:hover]:bg-hover">
                {columns.map(({ name, meta }) => {
                  const note = props.notes?.[name]?.(row);
                  const value =
                    meta.kind === 'date-time' && row[name] ? (
                      <ShortTime value={String(row[name])} upcoming={isUpcoming(name)} />
                    ) : (
                      <ShortValue meta={meta} name={name} value={row[name]} references={data.references} />
                    );
                  return (
                    <td
                      key={name}
                      className={`px-3 py-1.5 align-middle first:pl-4 ${isWrapping(meta.kind) ? 'min-w-24' : 'whitespace-nowrap'} ${hide(name)}`}
                    >
                      {href && name === linked ? (
                        <Link
                          to={href}
                          prefetch="intent"
                          className="text-text no-underline after:absolute after:inset-0"
                        >
                          {value}
                        </Link>
                      ) : row[name] === null && note ? null : (
                        value
                      )}{' '}
                      {note}
                    </td>
                  );
                })}
                {extra && <td className="relative z-1 px-3 py-1 text-right">{extra.render(row)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
