// Detail page of an item: header, fields, edit and delete.
import { useFetcher } from '@remix-run/react';
import { isCopyable } from '@yagura/core/resource/copy-item';
import { isNameless } from '@yagura/core/resource/is-nameless';
import { resourceNoun } from '@yagura/core/resource/resource-noun';
import { type ReactNode, useState } from 'react';
import { formatCrumb, formatNoun } from '../../shell/navigation/crumb.ts';
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx';
import { ResourceHeader } from '../../ui/page/resource-header.tsx';
import { type InfoRow, InfoTable } from '../../ui/table/info-table.tsx';
import { CliCommand } from '../../ui/text/cli-command.tsx';
import { StatusBadge } from '../../ui/text/status-badge.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { copyParam } from '../write/hidden-field.ts';
import { useDialogProblem } from '../write/use-problem-toast.ts';
import type { removeItemAction } from '../write/write.server.ts';
import type { ItemData, Row } from './item-data.server.ts';

const times = new Set(['createdAt', 'updatedAt']);
/** Shown as the badge in the header. */
const statusField = 'status';

/** `fields` replaces the generic rendering of single fields; `children` are rendered below the table. */
export function ItemScreen(props: {
  data: ItemData;
  fields?: Record<string, ReactNode>;
  children?: ReactNode;
}) {
  return (
    <>
      <ItemHeader data={props.data} />
      <ItemInfo data={props.data} fields={props.fields} />
      {props.children}
    </>
  );
}

/** `editHref` and `backHref` replace the URLs of the generic edit form and list. */
export function ItemHeader({
  data,
  editHref,
  backHref,
  actions,
  badge,
  deleteText,
}: {
  data: ItemData;
  editHref?: string;
  backHref?: string;
  actions?: ReactNode;
  /** Shown after the badge of the status. */
  badge?: ReactNode;
  /** Replaces the generic text of the delete confirmation. */
  deleteText?: ReactNode;
}) {
  const translation = useTranslation();
  const { t, language } = translation;
  const { meta, item, permissions, screen } = data;
  const [isConfirming, setIsConfirming] = useState(false);
  const fetcher = useFetcher<typeof removeItemAction>();
  const { error, forget } = useDialogProblem(fetcher.data);
  const id = String(item[meta.id]);
  const path = meta.singleton ? screen : `${screen}/${encodeURIComponent(id)}`;
  const title = titleOf(data, translation);
  const hasName = !isNameless(meta);
  const status = meta.columns.find((column) => column.name === statusField);
  return (
    <>
      <ResourceHeader
        title={title}
        kind={hasName ? formatNoun(meta.noun, language, 'one') : undefined}
        backHref={backHref ?? (meta.singleton ? undefined : screen)}
        id={hasName ? id : undefined}
        remarks={typeof item.remarks === 'string' ? item.remarks : null}
        badge={
          <>
            {status && (
              <StatusBadge
                value={String(item[statusField])}
                tones={status.meta.tones}
                options={status.meta.options}
              />
            )}
            {badge}
          </>
        }
        editHref={permissions.edit ? (editHref ?? `${path}/edit`) : undefined}
        copyHref={
          permissions.create && isCopyable(meta.verbs)
            ? `${screen}/new?${new URLSearchParams({ [copyParam]: id })}`
            : undefined
        }
        onDelete={permissions.remove ? () => setIsConfirming(true) : undefined}
        actions={
          <>
            {actions}
            <CliCommand command={data.command} />
          </>
        }
      />
      <ConfirmDialog
        open={isConfirming}
        title={t('web.delete-title', { name: title })}
        text={deleteText ?? t('web.delete-text', { noun: resourceNoun(meta.noun, language) })}
        error={error}
        busy={fetcher.state !== 'idle'}
        onConfirm={() => fetcher.submit({ intent: 'delete' }, { method: 'post', action: path })}
        onCancel={() => {
          forget();
          setIsConfirming(false);
        }}
      />
    </>
  );
}

/**
 * Table of the item's fields; creation and update times come last. `without` lists fields that the page shows
 * elsewhere.
 */
export function ItemInfo(props: {
  data: ItemData;
  fields?: Record<string, ReactNode>;
  without?: readonly string[];
}) {
  const { fields, without = [] } = props;
  const { meta, item, references } = props.data;
  const { language } = useTranslation();
  const shown = meta.detail.filter(
    ({ name }) => name !== statusField && !times.has(name) && !without.includes(name),
  );
  const rows: InfoRow[] = [...shown, ...meta.detail.filter(({ name }) => times.has(name))].map(
    ({ name, meta }) => ({ name, meta, value: item[name], children: fields?.[name] }),
  );
  return (
    <section className="rounded-lg border border-line bg-surface px-4 py-1 shadow-raised [&_dd:last-of-type]:border-b-0 [&_dt:last-of-type]:border-b-0">
      <InfoTable rows={rows} references={references} caption={formatNoun(meta.noun, language, 'one')} />
    </section>
  );
}

function titleOf({ meta, item, crumbs }: ItemData, words: Parameters<typeof formatCrumb>[1]): string {
  const own = item[meta.title];
  if (meta.title !== meta.id && typeof own === 'string') return own;
  const last = crumbs.at(-1);
  return last ? formatCrumb(last, words) : String((item as Row)[meta.id]);
}
