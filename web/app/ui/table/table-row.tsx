// Table row: a link that covers it, cells by field kind, and a checkbox.
import { Link } from '@remix-run/react';
import { classNames } from '../class-names.ts';
import { FieldValue } from '../text/field-value.tsx';
import { useTranslation } from '../translation.tsx';
import type { DataTableProps, TableColumn } from './table-props.ts';
import type { RowSelection } from './use-row-selection.ts';

export function TableRow<Row>(props: {
  row: Row;
  columns: TableColumn<Row>[];
  linkColumn: TableColumn<Row> | undefined;
  table: DataTableProps<Row>;
  dense: boolean;
  /** Zero-based index in the page, for virtualized rows. */
  index?: number;
  selection?: RowSelection;
}) {
  const { t } = useTranslation();
  const { row, table, selection, index } = props;
  const key = table.rowKey(row);
  const href = table.rowHref?.(row);
  const ticked = selection?.has(key) ?? false;
  const cell = classNames(
    'data-cell',
    props.dense && 'px-2 py-0.5',
    index !== undefined && 'max-w-80 truncate whitespace-nowrap',
  );
  return (
    <tr
      data-row=""
      aria-rowindex={index === undefined ? undefined : index + 2}
      aria-selected={selection ? ticked : undefined}
      className={classNames(
        'data-row',
        href && 'hover:bg-hover focus-within:bg-hover',
        ticked && 'bg-selected',
        // Leaves space for the checkbox next to the values.
        selection && 'max-sm:pr-12',
      )}
    >
      {selection && (
        <td className={classNames(cell, 'w-9 pr-0! max-sm:absolute max-sm:top-1 max-sm:right-1')}>
          <label className="relative z-1 -m-1.5 flex size-8 items-center justify-center print:hidden">
            <span className="sr-only">{t('ui.select-row', { name: rowAccessibleName(table, row) })}</span>
            <input
              type="checkbox"
              checked={ticked}
              onClick={(event) => selection.toggle(key, event.shiftKey)}
              onChange={() => {}}
              className="size-4 max-sm:size-6"
            />
          </label>
        </td>
      )}
      {props.columns.map((column) => (
        <td key={column.name} data-label={column.label} className={classNames(cell, 'labeled-cell')}>
          {href && column === props.linkColumn ? (
            <Link
              to={href}
              prefetch="intent"
              data-row-link={key}
              aria-label={table.rowLabel?.(row)}
              className="data-row-link"
            >
              <Cell row={row} column={column} table={table} withoutLink />
            </Link>
          ) : (
            <Cell row={row} column={column} table={table} />
          )}
        </td>
      ))}
    </tr>
  );
}

/** Returns a row's name for messages. */
function rowAccessibleName<Row>(table: DataTableProps<Row>, row: Row): string {
  const title = table.rowTitle ? (row as Record<string, unknown>)[table.rowTitle] : undefined;
  return table.rowLabel?.(row) ?? (typeof title === 'string' && title ? title : table.rowKey(row));
}

function Cell<Row>(props: {
  row: Row;
  column: TableColumn<Row>;
  table: DataTableProps<Row>;
  withoutLink?: boolean;
}) {
  const { row, column, table } = props;
  if (column.render) return column.render(row);
  const value = (row as Record<string, unknown>)[column.name];
  if (props.withoutLink && (value === null || value === undefined || value === '')) return table.rowKey(row);
  const shown = (
    <FieldValue
      meta={column.meta}
      name={column.name}
      value={value}
      references={table.references}
      withoutLink={props.withoutLink}
      isCompact
    />
  );
  if (!column.note) return shown;
  return (
    <span>
      {shown} {column.note(row)}
    </span>
  );
}
