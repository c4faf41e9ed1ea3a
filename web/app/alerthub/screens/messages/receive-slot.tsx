// Detail page of a receive slot: addresses, their renewal, and message counts.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { messageCount } from '@yagura/core/alerthub/message-count';
import { receiveSlot, slotAddresses, slotRefusal } from '@yagura/core/alerthub/receive-slot';
import type { Page } from '@yagura/core/http/page';
import { shapeFields } from '@yagura/core/resource/field';
import { ifPermitted } from '../../../resource/if-permitted.server.ts';
import { itemData } from '../../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../../resource/item/item-screen.tsx';
import type { MiniData } from '../../../resource/list/mini-data.server.ts';
import { MiniTable } from '../../../resource/list/mini-table.tsx';
import { matchResource } from '../../../resource/match-resource.server.ts';
import {
  redirectWithNotice,
  removeItemAction,
  toProblemResponse,
} from '../../../resource/write/write.server.ts';
import { withApi } from '../../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../../signin/same-origin.server.ts';
import { Panel } from '../../../ui/page/panel.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { ConfirmButton } from '../../confirm-button.tsx';
import { messagesPerDay, messagesPerMonth } from '../../messages/message-counts.server.ts';
import { MessageGrid } from '../../messages/message-grid.tsx';
import { MonthCounts } from '../../messages/month-counts.tsx';

/** 53 whole weeks, so that the grid covers a year. */
const days = 53 * 7;
const months = 12;

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  const receiveSlotId = args.params.receiveSlotId!;
  return withApi(args, async (api) => {
    const data = await itemData(api, match);
    // Users without permission to list messages still see the slot.
    const loadCounts = () =>
      Promise.all([
        messagesPerDay(api, args.request, days, receiveSlotId),
        messagesPerMonth(api, args.request, months, receiveSlotId),
      ]);
    const counts = await ifPermitted(api, messageCount, 'messages-per-day', loadCounts, null);
    const page = await api.client(receiveSlot).call<Page<Record<string, unknown>>>('refusals', {
      id: receiveSlotId,
    });
    const refusals: MiniData = {
      name: 'slot-refusal',
      id: 'refusedAt',
      fields: shapeFields(slotRefusal),
      rows: page.items,
      hrefs: {},
      total: page.total,
      references: {},
    };
    return { ...data, refusals, perDay: counts?.[0] ?? null, perMonth: counts?.[1] ?? null };
  });
}

/** Renews the address named by the intent, or deletes the slot. */
export async function action(args: ActionFunctionArgs) {
  const intent = (await args.request.clone().formData()).get('intent');
  const address = slotAddresses.find((one) => one === intent);
  if (!address) return removeItemAction(args);
  rejectCrossSiteRequest(args.request, args.context);
  const id = args.params.receiveSlotId!;
  return withApi(args, async (api) => {
    try {
      await api.client(receiveSlot).call('regenerate', { id, body: { address } });
    } catch (error) {
      return toProblemResponse(error, {});
    }
    return redirectWithNotice(`/apps/alerthub/receive-slots/${encodeURIComponent(id)}`, 'saved');
  });
}

export default function ReceiveSlot() {
  const data = useLoaderData<typeof loader>();
  const { t, language } = useTranslation();
  const id = String(data.item.receiveSlotId);
  const total = data.perMonth?.reduce((sum, { received }) => sum + received, 0) ?? 0;
  return (
    <>
      <ItemHeader
        key={id}
        data={data}
        actions={
          data.permissions.edit &&
          slotAddresses.map((address) => (
            <ConfirmButton
              key={address}
              intent={address}
              label={t(`mail-in.regenerate-${address}`)}
              title={t('mail-in.regenerate-title', { name: t(`label.${address}`) })}
              text={t('mail-in.regenerate-text')}
            />
          ))
        }
      />
      <ItemInfo data={data} />
      <div className="mt-5 grid grid-cols-1 gap-5">
        {data.refusals.rows.length > 0 && (
          <Panel title={t('page.slot-refusals')}>
            <MiniTable
              data={data.refusals}
              caption={t('page.slot-refusals')}
              columns={['reason', 'refusedAt', 'count', 'sender', 'method', 'address', 'userAgent']}
              hiddenOnMobile={['sender', 'method', 'address', 'userAgent']}
            />
          </Panel>
        )}
        {data.perDay && (
          <Panel title={t('count.per-day')} padded>
            <MessageGrid days={data.perDay} receiveSlotId={id} />
          </Panel>
        )}
        {data.perMonth && (
          <Panel
            title={t('count.per-month')}
            note={
              <span className="text-sm text-muted">
                {t('count.total', { count: total.toLocaleString(language) })}
              </span>
            }
            padded
          >
            <MonthCounts months={data.perMonth} />
          </Panel>
        )}
      </div>
    </>
  );
}
