// Table header cell that sorts its column; Shift+click or the second icon adds the column to the sort.
import { Link } from '@remix-run/react';
import type { SortKey } from '@yagura/core/query/sort';
import type { MouseEvent } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from '../icon.tsx';
import { useTranslation } from '../translation.tsx';
import { sortByAdditional, sortBySingle } from './table-state.ts';

const cell =
  'sticky top-0 z-10 border-b border-line bg-surface-sunken px-3 text-left text-xs font-medium whitespace-nowrap text-muted';

export function SortHeader(props: {
  column: { name: string; label: string; sortable: boolean };
  sort: SortKey[];
  hrefOf: (sort: SortKey[]) => string;
  onSort: (sort: SortKey[]) => void;
}) {
  const { t } = useTranslation();
  const { column, sort } = props;
  if (!column.sortable) {
    return (
      <th scope="col" className={classNames(cell, 'h-9')}>
        {column.label}
      </th>
    );
  }
  const index = sort.findIndex((key) => key.field === column.name);
  const sortKey = sort[index];
  const others = sort.some((key) => key.field !== column.name);
  const also = sortByAdditional(sort, column.name);

  function withShift(event: MouseEvent) {
    if (!event.shiftKey) return;
    event.preventDefault();
    props.onSort(also);
  }

  return (
    <th
      scope="col"
      aria-sort={sortKey ? (sortKey.descending ? 'descending' : 'ascending') : 'none'}
      className={cell}
    >
      <span className="flex h-9 items-center gap-0.5">
        <Link
          to={props.hrefOf(sortBySingle(sort, column.name))}
          onClick={withShift}
          preventScrollReset
          title={t('ui.sort-by', { name: column.label })}
          className={classNames(
            '-ml-1 inline-flex min-h-6 items-center gap-1 rounded-sm px-1 no-underline hover:text-text',
            sortKey ? 'text-text' : 'text-muted',
          )}
        >
          {column.label}
          {sortKey && (
            <span className="inline-flex items-center text-primary">
              <Icon
                name={sortKey.descending ? 'arrow-down' : 'arrow-up'}
                size={12}
                label={t(sortKey.descending ? 'ui.sorted-descending' : 'ui.sorted-ascending', {
                  order: index + 1,
                })}
              />
              {sort.length > 1 && <span className="text-[11px] tabular-nums">{index + 1}</span>}
            </span>
          )}
        </Link>
        {others && (
          <Link
            to={props.hrefOf(also)}
            preventScrollReset
            aria-label={t('ui.sort-also', { name: column.label })}
            title={t('ui.sort-also', { name: column.label })}
            className="inline-flex size-6 items-center justify-center rounded-sm text-muted hover:text-text"
          >
            <Icon name={sortKey ? 'sort' : 'plus'} size={12} />
          </Link>
        )}
      </span>
    </th>
  );
}
