// Data table with column selection, multi-column sorting and paging. Its whole state is in the URL.
import { useLocation, useNavigate, useSearchParams } from '@remix-run/react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Button, LinkButton } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { rememberListView } from '../page/list-view.ts';
import { Placeholder } from '../page/placeholder.tsx';
import { saveBlob } from '../save-blob.ts';
import { identifiesRow } from '../text/kind-layout.ts';
import { useTranslation } from '../translation.tsx';
import { Pager } from './pager.tsx';
import { SortHeader } from './sort-header.tsx';
import { handleTableKey } from './table-keyboard.ts';
import type { DataTableProps, TableColumn } from './table-props.ts';
import { TableRow } from './table-row.tsx';
import {
  pageSizes,
  readStoredTable,
  type StoredTablePreferences,
  type TableState,
  writeStoredTable,
  writeTableState,
} from './table-state.ts';
import { useHeldRows } from './use-held-rows.ts';
import { useInUse } from './use-in-use.ts';
import { useReturnFocus } from './use-return-focus.ts';
import { type RowSelection, useRowSelection } from './use-row-selection.ts';
import { useRowWindow } from './use-row-window.ts';
import { ViewMenu } from './view-menu.tsx';
import { WaitingRowsButton } from './waiting-rows-button.tsx';

export function DataTable<Row>(latest: DataTableProps<Row>) {
  const { t } = useTranslation();
  const part = useRef<HTMLDivElement>(null);
  const isInUse = useInUse(part);
  const held = useHeldRows(latest);
  const props = { ...latest, rows: held.rows, rowHref: held.rowHref, references: held.references };
  const { state, rows, bulkActions } = props;
  const { visible, dense, choose, setDense, go, hrefOf } = useTable(props.id, props.columns, state);
  const linkColumn = visible.find((column) => identifiesRow(column.meta.kind)) ?? visible[0];
  const box = useRef<HTMLDivElement>(null);
  useReturnFocus(box);
  const keys = useMemo(() => rows.map(props.rowKey), [rows, props.rowKey]);
  const selection = useRowSelection(keys);
  held.settle(rows.length > 0 && (isInUse || selection.keys.length > 0));
  const shown = useRowWindow(box, rows.length);
  const drawn = shown ? rows.slice(shown.start, shown.end) : rows;
  const width = visible.length + (bulkActions ? 1 : 0);

  return (
    <section aria-label={props.caption} className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        {props.actions}
        <span className="flex-1" />
        <ViewMenu
          columns={props.columns.filter((column) => !column.isFixed)}
          visible={visible.filter((column) => !column.isFixed).map((column) => column.name)}
          onChoose={choose}
          sort={state.sort}
          onSort={(sort) => go({ sort, page: 1 })}
          dense={dense}
          onDense={setDense}
          onDownload={rows.length > 0 ? (format) => download(props, visible, format) : undefined}
        />
      </div>
      {bulkActions && (
        <div
          className={
            selection.keys.length > 0
              ? 'flex min-h-10 flex-wrap items-center gap-2 rounded-lg bg-selected px-3 py-1 text-sm print:hidden'
              : 'contents'
          }
        >
          {selection.keys.length > 0 && (
            <span role="status">{t('ui.selected', { number: selection.keys.length })}</span>
          )}
          {/* Always there, as an action reports its result after its rows have left the list. */}
          {bulkActions(selection.keys, () => selection.toggleAll(false), rows)}
          {selection.keys.length > 0 && (
            <Button size="small" variant="quiet" onClick={() => selection.toggleAll(false)}>
              {t('ui.select-none')}
            </Button>
          )}
        </div>
      )}
      <div ref={part} className="relative">
        <WaitingRowsButton
          waiting={held.waiting}
          onShow={() => {
            held.show();
            scrollTo(box.current, 'first');
          }}
        />
        <div
          ref={box}
          // A scrolling area must be reachable by keyboard: through its row links, else itself.
          {...(props.rowHref ? {} : { tabIndex: 0 })}
          className={classNames(
            'max-h-[calc(100dvh-13rem)] overflow-auto rounded-lg border border-line bg-surface print:max-h-none print:overflow-visible',
            // A low screen has no space for a box that scrolls inside the page; only a window of rows needs one.
            shown ? 'short:max-h-[80dvh]' : 'short:max-h-none',
          )}
        >
          {rows.length === 0 ? (
            <NoRows total={props.total} state={state} hrefOf={hrefOf}>
              {props.empty}
            </NoRows>
          ) : (
            <table
              aria-rowcount={shown ? rows.length + 1 : undefined}
              className="w-full border-separate border-spacing-0 text-sm max-sm:block"
            >
              <caption className="sr-only">
                {props.caption}
                {props.rowHref && ` ${t('ui.table-keys')}`}
              </caption>
              <thead className="max-sm:hidden">
                <tr>
                  {bulkActions && <SelectAll selection={selection} count={rows.length} />}
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
              <tbody
                onKeyDown={(event) =>
                  handleTableKey(event, {
                    onToggle: bulkActions && selection.toggle,
                    scroll: shown ? (to) => scrollTo(box.current, to) : undefined,
                  })
                }
                className="max-sm:block"
              >
                {shown && <SpacerRow height={shown.heightAbove} width={width} />}
                {drawn.map((row, index) => (
                  <TableRow
                    key={props.rowKey(row)}
                    row={row}
                    columns={visible}
                    linkColumn={linkColumn}
                    table={props}
                    dense={dense}
                    index={shown ? shown.start + index : undefined}
                    selection={bulkActions ? selection : undefined}
                  />
                ))}
                {shown && <SpacerRow height={shown.heightBelow} width={width} />}
              </tbody>
            </table>
          )}
        </div>
      </div>
      <Pager
        total={props.total}
        totalIsLeast={props.totalIsLeast}
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

/** Behind the last page, as after deletions, the list is not empty; leads back to its rows. */
function NoRows(props: {
  total: number;
  state: TableState;
  hrefOf: (change: Partial<TableState>) => string;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const last = Math.ceil(props.total / props.state.size);
  if (last === 0 || props.state.page <= last) return props.children ?? <Placeholder kind="empty" />;
  return (
    <Placeholder kind="empty" title={t('ui.no-such-page')}>
      <LinkButton to={props.hrefOf({ page: last })} size="small">
        {t('ui.last-page')}
      </LinkButton>
    </Placeholder>
  );
}

/** Spacer for rows outside the viewport. */
function SpacerRow({ height, width }: { height: number; width: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td colSpan={width} style={{ height, padding: 0 }} />
    </tr>
  );
}

function SelectAll({ selection, count }: { selection: RowSelection; count: number }) {
  const { t } = useTranslation();
  const some = selection.keys.length > 0 && selection.keys.length < count;
  return (
    <th scope="col" className="sticky top-0 z-10 w-9 border-b border-line bg-surface-sunken pl-3">
      <label className="-m-1.5 flex size-8 items-center justify-center print:hidden">
        <span className="sr-only">{t('ui.select-all')}</span>
        <input
          type="checkbox"
          ref={(node) => {
            if (node) node.indeterminate = some;
          }}
          checked={selection.keys.length === count}
          onChange={(event) => selection.toggleAll(event.target.checked)}
          className="size-4"
        />
      </label>
    </th>
  );
}

function scrollTo(box: HTMLElement | null, to: 'first' | 'last'): void {
  if (box) box.scrollTop = to === 'first' ? 0 : box.scrollHeight;
}

/** Downloads the current view as a file; the code that writes it is loaded on demand. */
async function download<Row>(
  table: DataTableProps<Row>,
  visible: TableColumn<Row>[],
  format: 'csv' | 'json',
): Promise<void> {
  const { tableCsv, tableJson } = await import('./table-download.ts');
  const columns = visible
    .filter((column) => !column.isFixed)
    .map(({ name, label, meta }) => ({ name, label, resource: meta.resource }));
  const rows = table.rows as Record<string, unknown>[];
  const text = format === 'csv' ? tableCsv(columns, rows, table.references) : tableJson(columns, rows);
  const type = format === 'csv' ? 'text/csv;charset=utf-8' : 'application/json';
  saveBlob(`${table.id}.${format}`, new Blob([text], { type }));
}

/**
 * Returns the visible columns and functions to change the URL; stored preferences are applied after
 * hydration.
 */
function useTable<Row>(id: string, columns: TableColumn<Row>[], state: TableState) {
  const [params] = useSearchParams();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [stored, setStored] = useState<StoredTablePreferences>();
  const hrefOf = (change: Partial<TableState>) => `${pathname}?${writeTableState(change, params)}`;
  const go = (change: Partial<TableState>) => navigate(hrefOf(change), { preventScrollReset: true });

  useEffect(() => rememberListView(pathname, search), [pathname, search]);
  useEffect(() => {
    const found = readStoredTable(localStorage, id);
    setStored(found);
    const size = pageSizes.find((known) => known === found?.size);
    if (size && size !== state.size && !params.has('size')) {
      navigate(hrefOf({ size }), { replace: true, preventScrollReset: true });
    }
    // Stored preferences are read once per table; afterwards the URL wins.
  }, [id]);

  const requestedColumns = params.has('columns') ? state.columns : (stored?.columns ?? state.columns);
  const free = columns.filter((column) => !column.isFixed);
  const pick = (names: readonly string[]) =>
    names.flatMap((name) => free.find((column) => column.name === name) ?? []);
  const picked = pick(requestedColumns);
  const keep = (choices: StoredTablePreferences) => {
    writeStoredTable(localStorage, id, choices);
    setStored({ ...stored, ...choices });
  };
  return {
    visible: [
      ...(picked.length > 0 ? picked : pick(state.columns)),
      ...columns.filter((column) => column.isFixed),
    ],
    dense: stored?.dense ?? false,
    hrefOf,
    go,
    choose: (names: string[]) => {
      keep({ columns: names });
      go({ columns: names });
    },
    setDense: (dense: boolean) => keep({ dense }),
  };
}
