// One item on screen: header, what is known of it, and how to change or delete it.
import { useFetcher } from '@remix-run/react';
import { nounWithin } from '@yagura/core/format/noun';
import { type ReactNode, useState } from 'react';
import { crumbText, nounText } from '../shell/crumb.ts';
import { CommandLine } from '../ui/command-line.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { type InfoRow, InfoTable } from '../ui/info-table.tsx';
import { ResourceHeader } from '../ui/resource-header.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { useTranslation } from '../ui/words.tsx';
import type { ItemData, Row } from './item-data.server.ts';
import { useRefusalToast } from './use-refusal-toast.ts';
import type { removeAt } from './write.server.ts';

const times = new Set(['createdAt', 'updatedAt']);
/** Told by the badge of the header. */
const badge = 'status';

/** `fields` draw a field in another way than the generic one; `children` stand below the table. */
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

/** `editHref` and `backHref` replace the addresses of the generic edit form and list. */
export function ItemHeader({
  data,
  editHref,
  backHref,
  actions,
  deleteText,
}: {
  data: ItemData;
  editHref?: string;
  backHref?: string;
  actions?: ReactNode;
  /** What is told before it is deleted, instead of the generic text. */
  deleteText?: ReactNode;
}) {
  const words = useTranslation();
  const { t, language } = words;
  const { meta, item, permissions, screen } = data;
  const [asking, setAsking] = useState(false);
  const fetcher = useFetcher<typeof removeAt>();
  useRefusalToast(fetcher.data, () => setAsking(false));
  const id = String(item[meta.id]);
  const path = meta.singleton ? screen : `${screen}/${encodeURIComponent(id)}`;
  const title = titleOf(data, words);
  const status = meta.columns.find((column) => column.name === badge);
  return (
    <>
      <ResourceHeader
        title={title}
        kind={nounText(meta.noun, language, 'one')}
        backHref={backHref ?? (meta.singleton ? undefined : screen)}
        id={id}
        remarks={typeof item.remarks === 'string' ? item.remarks : null}
        badge={
          status && (
            <StatusBadge
              value={String(item[badge])}
              tones={status.meta.tones}
              options={status.meta.options}
            />
          )
        }
        editHref={permissions.edit ? (editHref ?? `${path}/edit`) : undefined}
        onDelete={permissions.remove ? () => setAsking(true) : undefined}
        actions={
          <>
            {actions}
            <CommandLine line={data.command} />
          </>
        }
      />
      <ConfirmDialog
        open={asking}
        title={t('web.delete-title', { name: title })}
        text={deleteText ?? t('web.delete-text', { noun: nounWithin(meta.noun, language) })}
        busy={fetcher.state !== 'idle'}
        onConfirm={() => fetcher.submit({ intent: 'delete' }, { method: 'post', action: path })}
        onCancel={() => setAsking(false)}
      />
    </>
  );
}

/** The fields of the item, the moments of its making and changing last. `without` leaves out what the screen tells elsewhere. */
export function ItemInfo(props: {
  data: ItemData;
  fields?: Record<string, ReactNode>;
  without?: readonly string[];
}) {
  const { fields, without = [] } = props;
  const { meta, item, references } = props.data;
  const shown = meta.detail.filter(
    ({ name }) => name !== badge && !times.has(name) && !without.includes(name),
  );
  const rows: InfoRow[] = [...shown, ...meta.detail.filter(({ name }) => times.has(name))].map(
    ({ name, meta }) => ({ name, meta, value: item[name], children: fields?.[name] }),
  );
  return (
    <section className="rounded-lg border border-line bg-surface px-4 py-1 shadow-raised [&_dd:last-of-type]:border-b-0 [&_dt:last-of-type]:border-b-0">
      <InfoTable rows={rows} references={references} caption={meta.name} />
    </section>
  );
}

function titleOf({ meta, item, crumbs }: ItemData, words: Parameters<typeof crumbText>[1]): string {
  const own = item[meta.title];
  if (meta.title !== meta.id && typeof own === 'string') return own;
  const last = crumbs.at(-1);
  return last ? crumbText(last, words) : String((item as Row)[meta.id]);
}
