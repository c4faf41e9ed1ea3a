// A list on screen: heading, filter, table, and what can be made or removed.
import { useFetcher } from '@remix-run/react';
import { nounWithin } from '@yagura/core/format/noun';
import { type ReactNode, useState } from 'react';
import { nounText } from '../shell/crumb.ts';
import { IconButton, LinkButton } from '../ui/button.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { FilterBox } from '../ui/filter-box.tsx';
import { Placeholder } from '../ui/placeholder.tsx';
import type { TableColumn } from '../ui/table-props.ts';
import { useTranslation } from '../ui/words.tsx';
import { BulkRemove } from './bulk-remove.tsx';
import { emptyHint } from './empty-hint.ts';
import { FilterBuilder } from './filter-builder.tsx';
import type { ListData, ListMeta, Row } from './list-data.server.ts';
import { useRefusalToast } from './use-refusal-toast.ts';
import type { removeFrom } from './write.server.ts';

/** `nested` lists stand below the heading of the thing that holds them. */
export function ListScreen({
  data,
  nested,
  lead,
  emptyText,
}: {
  data: ListData;
  nested?: boolean;
  /** A sentence below the heading. */
  lead?: string;
  emptyText?: string;
}) {
  const words = useTranslation();
  const { t, language } = words;
  const { meta, permissions } = data;
  const name = nounText(meta.noun, language, 'many');
  const hint = permissions.create && !emptyText ? emptyHint(words, meta) : undefined;
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
          {!data.filterError && <CommandLine line={data.command} />}
          {create}
        </div>
      </div>
      {lead && <p className="-mt-2 mb-3 max-w-prose text-sm text-muted">{lead}</p>}
      <ResourceTable
        data={data}
        caption={name}
        bulk={!nested}
        actions={
          <>
            {data.searchable && (
              <FilterBox
                name="filter"
                label={t('web.filter', { name: nounWithin(meta.noun, language, 'many') })}
                error={data.filterError ?? undefined}
              />
            )}
            {Object.keys(meta.filterable).length > 0 && (
              <FilterBuilder name="filter" fields={meta.filterable} />
            )}
          </>
        }
        empty={<Placeholder kind="empty" title={emptyText} detail={hint} />}
      />
    </>
  );
}

/** The table of a list without anything around it. */
export function ResourceTable({
  data,
  caption,
  actions,
  empty,
  bulk = false,
}: {
  data: ListData;
  caption: string;
  actions?: ReactNode;
  empty?: ReactNode;
  /** Rows can be ticked and deleted together; the list's route needs `removeFrom` as its action. */
  bulk?: boolean;
}) {
  const { t, label } = useTranslation();
  const { meta, hrefs, references } = data;
  const columns: TableColumn[] = meta.columns.map(({ name, meta, sortable }) => ({
    name,
    meta,
    label: label(name),
    sortable,
  }));
  const opens = Object.keys(hrefs).length > 0;
  // Items without a screen of their own are removed here.
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
      bulk={
        bulk && data.permissions.remove
          ? (ids, done) => (
              <BulkRemove
                ids={ids}
                titles={Object.fromEntries(
                  data.rows.map((row) => [String(row[meta.id]), String(row[meta.title] ?? row[meta.id])]),
                )}
                screen={data.screen}
                done={done}
              />
            )
          : undefined
      }
    />
  );
}

const removeName = '$remove';

function removeColumn(meta: ListMeta, label: string): TableColumn {
  return {
    name: removeName,
    label,
    meta: { kind: 'text', required: false, nullable: true },
    sortable: false,
    fixed: true,
    render: (row) => <RemoveRow id={String(row[meta.id])} title={String(row[meta.title])} label={label} />,
  };
}

/** Removes a row of a resource whose items have no screen of their own. */
function RemoveRow({ id, title, label }: { id: string; title: string; label: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const fetcher = useFetcher<typeof removeFrom>();
  useRefusalToast(fetcher.data, () => setAsking(false));
  return (
    <>
      <IconButton icon="trash" label={`${label}: ${title}`} onClick={() => setAsking(true)} />
      <ConfirmDialog
        open={asking}
        title={t('web.delete-title', { name: title })}
        busy={fetcher.state !== 'idle'}
        onConfirm={() => fetcher.submit({ id }, { method: 'post' })}
        onCancel={() => setAsking(false)}
      />
    </>
  );
}
