// List page: heading, filter, table, create and delete.
import { useFetcher, useSearchParams } from '@remix-run/react';
import { formatDateTimeSeconds } from '@yagura/core/format/date-time';
import { resourceNoun } from '@yagura/core/resource/resource-noun';
import { type ReactNode, useRef, useState } from 'react';
import { formatNoun } from '../../shell/navigation/crumb.ts';
import { IconButton, LinkButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx';
import { useFocusAfterRemoval } from '../../ui/overlay/use-focus-after-removal.ts';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { FilterBox } from '../../ui/table/search-box.tsx';
import type { TableColumn } from '../../ui/table/table-props.ts';
import { CliCommand } from '../../ui/text/cli-command.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { FilterBuilder } from '../filter/filter-builder.tsx';
import { useDialogProblem } from '../write/use-problem-toast.ts';
import type { removeFromListAction } from '../write/write.server.ts';
import { BulkRemove } from './bulk-remove.tsx';
import { emptyHint } from './empty-hint.ts';
import type { ListData, ListMeta, Row } from './list-data.server.ts';

/** A last column with a button in each row. */
interface RowAction {
  label: string;
  render: (row: Row) => ReactNode;
}

type CellNotes = Record<string, (row: Row) => ReactNode>;

/** `nested` lists are rendered below the heading of their parent item. */
export function ListScreen({
  data,
  nested,
  description,
  emptyText,
  actions,
  notes,
  rowAction,
}: {
  data: ListData;
  nested?: boolean;
  /** Sentence below the heading. */
  description?: string;
  emptyText?: string;
  /** Shown before the button that creates an item. */
  actions?: ReactNode;
  /** Shown after the value of a column, by its name. */
  notes?: CellNotes;
  rowAction?: RowAction;
}) {
  const translation = useTranslation();
  const { t, language, timeZone, fieldLabel } = translation;
  const { meta, permissions } = data;
  const name = formatNoun(meta.noun, language, 'many');
  const idHint = data.fieldWithoutId
    ? t('web.filter-needs-id', { field: fieldLabel(data.fieldWithoutId), build: t('filter.build') })
    : undefined;
  const hint = permissions.create && !emptyText ? emptyHint(translation, meta) : undefined;
  const create = permissions.create && (
    <LinkButton to={`${data.screen}/new`} variant="primary" icon="plus">
      {t('verb.create')}
    </LinkButton>
  );
  return (
    <>
      <div className="mb-3 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {nested ? (
          <h2 className="text-lg font-semibold">{name}</h2>
        ) : (
          <h1 className="text-xl font-semibold">{name}</h1>
        )}
        <div className="flex items-center gap-2">
          {!data.filterError && <CliCommand command={data.command} />}
          {actions}
          {create}
        </div>
      </div>
      {description && <p className="-mt-2 mb-3 max-w-prose text-sm text-muted">{description}</p>}
      {data.incompleteSince && (
        <p role="status" className="mb-2 text-sm text-warning-fg">
          {t('format.incomplete-since', {
            time: formatDateTimeSeconds(data.incompleteSince, { language, timeZone }),
          })}
        </p>
      )}
      <ResourceTable
        data={data}
        caption={name}
        bulk={!nested}
        notes={notes}
        rowAction={rowAction}
        actions={
          <>
            {data.searchable && (
              <FilterBox
                name="filter"
                label={t('web.filter', { name: resourceNoun(meta.noun, language, 'many') })}
                error={data.filterError ?? idHint}
              />
            )}
            {Object.keys(meta.filterable).length > 0 && (
              <FilterBuilder name="filter" fields={meta.filterable} />
            )}
          </>
        }
        empty={data.isFiltered ? <NoMatch /> : <Placeholder kind="empty" title={emptyText} detail={hint} />}
      />
    </>
  );
}

/** Shown instead of the rows when the user's filter leaves none. */
function NoMatch() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const unfiltered = new URLSearchParams(params);
  for (const name of ['filter', 'page']) unfiltered.delete(name);
  return (
    <Placeholder kind="empty" title={t('web.no-match')}>
      <LinkButton to={`?${unfiltered}`} size="small">
        {t('ui.clear')}
      </LinkButton>
    </Placeholder>
  );
}

/** The table of a list on its own. */
export function ResourceTable({
  data,
  caption,
  actions,
  empty,
  bulk = false,
  notes = {},
  rowAction,
}: {
  data: ListData;
  caption: string;
  actions?: ReactNode;
  empty?: ReactNode;
  /** Rows can be selected and deleted together; the list's route needs an action that deletes rows. */
  bulk?: boolean;
  notes?: CellNotes;
  rowAction?: RowAction;
}) {
  const { t, fieldLabel } = useTranslation();
  const { meta, hrefs, references } = data;
  const columns: TableColumn[] = meta.columns.map(({ name, meta, sortable }) => ({
    name,
    meta,
    label: fieldLabel(name),
    sortable,
    note: notes[name],
  }));
  const opens = Object.keys(hrefs).length > 0;
  if (rowAction) columns.push(fixedColumn('$action', rowAction));
  // Items without a page of their own are deleted here.
  const removable = data.permissions.remove && !meta.verbs.includes('show');
  if (removable) columns.push(removeColumn(meta, t('verb.delete')));
  return (
    <DataTable
      id={meta.name}
      columns={columns}
      rows={data.rows}
      rowKey={(row: Row) => String(row[meta.id])}
      rowHref={opens ? (row: Row) => hrefs[String(row[meta.id])] : undefined}
      total={data.total}
      totalIsLeast={data.totalIsLeast}
      state={data.state}
      caption={caption}
      actions={actions}
      empty={empty}
      references={references}
      rowTitle={meta.title}
      bulkActions={
        bulk && data.permissions.remove
          ? (ids, done, rows) => (
              <BulkRemove
                ids={ids}
                titles={Object.fromEntries(
                  rows.map((row) => [String(row[meta.id]), String(row[meta.title] ?? row[meta.id])]),
                )}
                screen={data.screen}
                onDone={done}
              />
            )
          : undefined
      }
    />
  );
}

function removeColumn(meta: ListMeta, label: string): TableColumn {
  return fixedColumn('$remove', {
    label,
    render: (row) => (
      <RemoveRowButton id={String(row[meta.id])} title={String(row[meta.title])} label={label} />
    ),
  });
}

function fixedColumn(name: string, { label, render }: RowAction): TableColumn {
  const meta = { kind: 'text', required: false, nullable: true } as const;
  return { name, label, meta, sortable: false, isFixed: true, render };
}

/** Deletes a row of a resource whose items have no page of their own. */
function RemoveRowButton({ id, title, label }: { id: string; title: string; label: string }) {
  const { t } = useTranslation();
  const [isConfirming, setIsConfirming] = useState(false);
  const fetcher = useFetcher<typeof removeFromListAction>();
  const { error, forget } = useDialogProblem(fetcher.data);
  const button = useRef<HTMLButtonElement>(null);
  useFocusAfterRemoval(button);
  return (
    <>
      <IconButton
        ref={button}
        icon="trash"
        label={`${label}: ${title}`}
        onClick={() => setIsConfirming(true)}
      />
      <ConfirmDialog
        open={isConfirming}
        title={t('web.delete-title', { name: title })}
        error={error}
        busy={fetcher.state !== 'idle'}
        onConfirm={() => fetcher.submit({ id }, { method: 'post' })}
        onCancel={() => {
          forget();
          setIsConfirming(false);
        }}
      />
    </>
  );
}
