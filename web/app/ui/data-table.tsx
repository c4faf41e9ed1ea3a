// The table of the console: columns, sorting by several of them, pages. Its whole state is in the address.
import { Link, useLocation, useNavigate, useSearchParams } from '@remix-run/react';
import type { FieldFacts } from '@yagura/core/resource/field';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { classes } from './classes.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { FieldValue } from './field-value.tsx';
import { Pager } from './pager.tsx';
import { Placeholder } from './placeholder.tsx';
import type { References } from './references.ts';
import { SortHeader } from './sort-header.tsx';
import {
  pageSizes,
  readStoredTable,
  type StoredTable,
  type TableState,
  writeStoredTable,
  writeTableState,
} from './table-state.ts';
import { useWords } from './words.tsx';

export interface TableColumn<Row = Record<string, unknown>> {
  name: string;
  label: string;
  facts: FieldFacts;
  sortable: boolean;
  /** Draws the cell instead of the value's kind. */
  render?(row: Row): ReactNode;
}

export interface DataTableProps<Row> {
  /** Names the table in stored choices. */
  id: string;
  /** Every column there is; the state says which are visible. */
  columns: TableColumn<Row>[];
  rows: Row[];
  rowKey(row: Row): string;
  /** Where a row leads; the row then is one link. */
  rowHref?(row: Row): string | undefined;
  /** Name of a row for people who do not see it; the text of its link when absent. */
  rowLabel?(row: Row): string | undefined;
  total: number;
  state: TableState;
  caption: string;
  /** Drawn when there are no rows. */
  empty?: ReactNode;
  /** Beside the column chooser, e.g. a search box and a create button. */
  actions?: ReactNode;
  references?: References;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { t } = useWords();
  const { state } = props;
  const { visible, choose, go, hrefOf } = useTable(props.id, props.columns, state);
  const linkColumn = visible.find((column) => namesARow(column.facts)) ?? visible[0];

  return (
    <section aria-label={props.caption} className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-center gap-2">
        {props.actions}
        <span className="flex-1" />
        <ColumnChooser
          columns={props.columns}
          visible={visible.map((column) => column.name)}
          onChoose={choose}
        />
      </div>
      <div className="max-h-[max(6rem,calc(100dvh-13rem))] overflow-auto rounded-lg border border-line bg-surface">
        {props.rows.length === 0 ? (
          (props.empty ?? <Placeholder kind="empty" />)
        ) : (
          <table className="w-full border-separate border-spacing-0 text-sm max-sm:block">
            <caption className="sr-only">
              {props.caption}
              {props.rowHref && ` ${t('ui.table-keys')}`}
            </caption>
            <thead className="max-sm:hidden">
              <tr>
                {visible.map((column) => (
                  <SortHeader
                    key={column.name}
                    column={column}
                    sort={state.sort}
                    hrefOf={(sort) => hrefOf({ sort, page: 1 })}
                    onSort={(sort) => go({ sort, page: 1 })}
                  />
                ))}
              </tr>
            </thead>
            <tbody onKeyDown={moveBetweenRows} className="max-sm:block">
              {props.rows.map((row) => (
                <TableRow
                  key={props.rowKey(row)}
                  row={row}
                  columns={visible}
                  linkColumn={linkColumn}
                  table={props}
                />
              ))}
            </tbody>
          </table>
        )}
      </div>
      <Pager
        total={props.total}
        page={state.page}
        size={state.size}
        sizes={pageSizes}
        hrefOf={(page) => hrefOf({ page })}
        onSize={(size) => {
          writeStoredTable(localStorage, props.id, { size });
          go({ size, page: 1 });
        }}
      />
    </section>
  );
}

/** The visible columns and the ways to change the address; stored choices join in once the browser has the page. */
function useTable<Row>(id: string, columns: TableColumn<Row>[], state: TableState) {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [stored, setStored] = useState<StoredTable>();
  const hrefOf = (change: Partial<TableState>) => `${pathname}?${writeTableState(change, params)}`;
  const go = (change: Partial<TableState>) => navigate(hrefOf(change), { preventScrollReset: true });

  useEffect(() => {
    const found = readStoredTable(localStorage, id);
    setStored(found);
    const size = pageSizes.find((known) => known === found?.size);
    if (size && size !== state.size && !params.has('size')) {
      navigate(hrefOf({ size }), { replace: true, preventScrollReset: true });
    }
    // Stored choices are read once per table; afterwards the address speaks.
  }, [id]);

  const asked = params.has('columns') ? state.columns : (stored?.columns ?? state.columns);
  const picked = columns.filter((column) => asked.includes(column.name));
  return {
    visible: picked.length > 0 ? picked : columns.filter((column) => state.columns.includes(column.name)),
    hrefOf,
    go,
    choose: (names: string[]) => {
      writeStoredTable(localStorage, id, { columns: names });
      setStored({ ...stored, columns: names });
      go({ columns: names });
    },
  };
}

function TableRow<Row>(props: {
  row: Row;
  columns: TableColumn<Row>[];
  linkColumn: TableColumn<Row> | undefined;
  table: DataTableProps<Row>;
}) {
  const { row, table } = props;
  const href = table.rowHref?.(row);
  return (
    <tr
      className={classes(
        'relative max-sm:block max-sm:border-b max-sm:border-line max-sm:py-1.5 max-sm:last:border-b-0 last:*:border-b-0',
        href && 'hover:bg-hover focus-within:bg-hover',
      )}
    >
      {props.columns.map((column) => (
        <td
          key={column.name}
          data-label={column.label}
          className="border-b border-line px-3 py-1.5 align-middle break-words max-sm:flex max-sm:items-baseline max-sm:gap-3 max-sm:border-0 max-sm:py-0.5 max-sm:before:w-28 max-sm:before:shrink-0 max-sm:before:text-muted max-sm:before:content-[attr(data-label)]"
        >
          {href && column === props.linkColumn ? (
            <Link
              to={href}
              prefetch="intent"
              data-row-link=""
              aria-label={table.rowLabel?.(row)}
              className="font-medium text-text no-underline after:absolute after:inset-0 after:content-[''] hover:text-primary"
            >
              <Cell row={row} column={column} table={table} linkless />
            </Link>
          ) : (
            <Cell row={row} column={column} table={table} />
          )}
        </td>
      ))}
    </tr>
  );
}

function Cell<Row>(props: {
  row: Row;
  column: TableColumn<Row>;
  table: DataTableProps<Row>;
  linkless?: boolean;
}) {
  const { row, column, table } = props;
  if (column.render) return column.render(row);
  const value = (row as Record<string, unknown>)[column.name];
  if (props.linkless && (value === null || value === undefined || value === '')) return table.rowKey(row);
  return (
    <FieldValue
      facts={column.facts}
      name={column.name}
      value={value}
      references={table.references}
      linkless={props.linkless}
      compact
    />
  );
}

/** Whether a value tells rows apart; a status or a yes does not. */
function namesARow(facts: FieldFacts): boolean {
  return ['text', 'id', 'date-time', 'email', 'reference'].includes(facts.kind);
}

/** Up and down go from row to row, Home and End to the first and the last; the platform's Enter opens the link. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')];
  const at = links.indexOf(event.target as HTMLElement);
  if (at < 0) return;
  const places: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: links.length - 1,
  };
  const next = links[places[event.key] ?? -1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
