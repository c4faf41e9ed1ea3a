// Receive slots: their two addresses, made at random and renewed one at a time.
import { receiveSlot, type slotAddresses } from '@yagura/core/alerthub/receive-slot';
import { watchText } from '@yagura/core/alerthub/watch-text';
import type { Reason } from '@yagura/core/alerthub/why';
import { Problem } from '@yagura/core/http/problem';
import { isUuid } from '../id.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import type { Context } from '../resource/context.ts';
import { noItem } from '../resource/no-item.ts';
import { announce } from '../resource/serve.ts';
import { lockItem, updateItem, writtenItem } from '../resource/store.ts';
import { bodyTable } from '../resource/table.ts';
import { receivePath } from './receive.ts';
import { newSlotToken } from './slot-address.ts';

const table = bodyTable(receiveSlot, {
  join: `left join lateral (
    select received_at from message m where m.receive_slot_id = r.id order by received_at desc, message_id desc limit 1
  ) last on true left join slot_watch w on w.receive_slot_id = r.id`,
  select: `greatest(last.received_at, w.seen_at) as last_received_at, w.state as watch_state, w.expected_by, w.reason as watch_reason`,
  columns: { watchState: { sql: `coalesce(w.state, 'learning')`, type: 'text' } },
  item: (row) => ({
    lastReceivedAt: row.last_received_at ?? null,
    watchState: row.watch_state ?? 'learning',
    expectedBy: row.expected_by ?? null,
    watchReason: row.watch_reason ?? { word: 'watch.learning' },
  }),
});

export const receiveSlotBehaviour: Behaviour = {
  resource: receiveSlot,
  table,
  body(context, input, before) {
    const kind = String(input.kind);
    if (before && before.kind !== kind) {
      const reason = context.t('mail-in.kind-kept');
      throw new Problem('invalid', { invalidParams: [{ name: 'kind', reason }] });
    }
    return {
      ...input,
      primaryToken: before?.primaryToken ?? newSlotToken(kind),
      secondaryToken: before?.secondaryToken ?? newSlotToken(kind),
    };
  },
  present,
  calls: { regenerate },
};

function present(context: Context, item: Record<string, unknown>): Record<string, unknown> {
  const { primaryToken, secondaryToken, watchReason, ...rest } = item;
  const { publicUrl, mailDomain } = context.services;
  const address = (token: unknown) =>
    item.kind === 'email' ? `${token}@${mailDomain}` : `${publicUrl}${receivePath}/${token}`;
  return {
    ...rest,
    primary: address(primaryToken),
    secondary: address(secondaryToken),
    watchReason: watchText(watchReason as Reason, item.watchState === 'overdue', context.t),
  };
}

/** Gives one address of a slot a new token; what comes to the old one is refused from then on. */
async function regenerate(context: Context, body: unknown): Promise<unknown> {
  const { address } = body as { address: (typeof slotAddresses)[number] };
  const { receiveSlotId } = context.place;
  const renewed = await context.services.database.transaction(async (tx) => {
    const slot = isUuid(receiveSlotId) && (await lockItem(tx, context, receiveSlot, receiveSlotId));
    if (!slot) throw noItem(context, receiveSlot);
    const token = newSlotToken(String(slot.body.kind));
    await updateItem(tx, context, receiveSlot, receiveSlotId, { ...slot.body, [`${address}Token`]: token });
    return writtenItem(tx, context, receiveSlot, table, receiveSlotId);
  });
  announce(context, receiveSlot, receiveSlotId!, 'update');
  return present(context, renewed.item);
}
