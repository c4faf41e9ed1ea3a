// The head of a sortable column: a click sorts by it alone, a click with Shift or on the second sign sorts by it as well.
import { Link } from '@remix-run/react';
import type { MouseEvent } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import { type SortKey, sortAlso, sortOnly } from './table-state.ts';
import { useTranslation } from './words.tsx';

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
      <th scope="col" className={classes(cell, 'h-9')}>
        {column.label}
      </th>
    );
  }
  const place = sort.findIndex((key) => key.field === column.name);
  const held = sort[place];
  const others = sort.some((key) => key.field !== column.name);
  const also = sortAlso(sort, column.name);

  function withShift(event: MouseEvent) {
    if (!event.shiftKey) return;
    event.preventDefault();
    props.onSort(also);
  }

  return (
    <th
      scope="col"
      aria-sort={held ? (held.descending ? 'descending' : 'ascending') : 'none'}
      className={cell}
    >
      <span className="flex h-9 items-center gap-0.5">
        <Link
          to={props.hrefOf(sortOnly(sort, column.name))}
          onClick={withShift}
          preventScrollReset
          title={t('ui.sort-by', { name: column.label })}
          className={classes(
            '-ml-1 inline-flex min-h-6 items-center gap-1 rounded-sm px-1 no-underline hover:text-text',
            held ? 'text-text' : 'text-muted',
          )}
        >
          {column.label}
          {held && (
            <span className="inline-flex items-center text-primary">
              <Icon
                name={held.descending ? 'arrow-down' : 'arrow-up'}
                size={12}
                label={t(held.descending ? 'ui.sorted-descending' : 'ui.sorted-ascending', {
                  order: place + 1,
                })}
              />
              {sort.length > 1 && <span className="text-[11px] tabular-nums">{place + 1}</span>}
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
            <Icon name={held ? 'sort' : 'plus'} size={12} />
          </Link>
        )}
      </span>
    </th>
  );
}
