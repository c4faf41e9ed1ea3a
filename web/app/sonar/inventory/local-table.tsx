// Table of rows that are all on the page; its columns are sorted in the browser.
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { type LocalSort, nextSort, shownColumns, sortRows } from './sort-rows.ts';

export interface LocalColumn<Row> {
  name: string;
  label: string;
  /** Text or number to sort by; nothing if it is not known. */
  value(row: Row): string | number | null | undefined;
  render?(row: Row): ReactNode;
  /** Contains buttons: not sorted, and its label is for screen readers. */
  isAction?: boolean;
}

function ariaSort(sort: LocalSort | undefined, column: string) {
  if (sort?.column !== column) return 'none';
  return sort.isDescending ? 'descending' : 'ascending';
}

/** Rows shown until the user wants all. */
const firstRows = 50;

export function LocalTable<Row>(props: {
  caption: string;
  columns: LocalColumn<Row>[];
  rows: readonly Row[];
}) {
  const { t } = useTranslation();
  const [sort, setSort] = useState<LocalSort>();
  const [showsAll, setShowsAll] = useState(false);
  const columns = shownColumns(props.columns, props.rows);
  const sorted = sortRows(props.columns, props.rows, sort);
  const shown = showsAll ? sorted : sorted.slice(0, firstRows);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <div role="group" aria-label={props.caption} tabIndex={0} className="max-h-[32rem] overflow-auto">
        <table className="w-full border-separate border-spacing-0 text-sm">
          <caption className="sr-only">{props.caption}</caption>
          <thead>
            <tr>
              {columns.map(({ name, label, isAction }) => (
                <th
                  key={name}
                  scope="col"
                  aria-sort={isAction ? undefined : ariaSort(sort, name)}
                  className="sticky top-0 z-1 border-b border-line bg-surface-sunken px-2 text-left text-xs font-medium whitespace-nowrap text-muted first:pl-3"
                >
                  {isAction ? (
                    <span className="sr-only">{label}</span>
                  ) : (
                    <button
                      type="button"
                      onClick={() => setSort(nextSort(sort, name))}
                      title={t('ui.sort-by', { name: label })}
                      className="-ml-1 inline-flex min-h-7 items-center gap-1 rounded-sm px-1 hover:text-text"
                    >
                      {label}
                      {sort?.column === name && (
                        <Icon name={sort.isDescending ? 'arrow-down' : 'arrow-up'} size={12} />
                      )}
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={index} className="hover:bg-hover">
                {columns.map(({ name, value, render }) => (
                  <td
                    key={name}
                    className="border-b border-line px-2 py-1 align-top break-words tabular-nums first:pl-3"
                  >
                    {render ? render(row) : value(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < sorted.length && (
        <div className="px-3 py-2">
          <Button size="small" onClick={() => setShowsAll(true)}>
            {t('ui.show-all')} ({sorted.length})
          </Button>
        </div>
      )}
    </>
  );
}
