// Receive slots: generates their two random addresses and renews one at a time.

import type { Reason } from '@yagura/core/alerthub/decision-log';
import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { FlowError } from '@yagura/core/alerthub/engine/errors/flow-error';
import { receiveSlot, type slotAddresses } from '@yagura/core/alerthub/receive-slot';
import { slotWatchText } from '@yagura/core/alerthub/slot-watch-text';
import type { Page } from '@yagura/core/http/page';
import { invalidField, Problem } from '@yagura/core/http/problem';
import { isUuid } from '../../common/id.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import type { CallContext } from '../../resource/call-context.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce } from '../../resource/item-operations.ts';
import { findItem, lockItem, reloadItem, updateItem } from '../../resource/item-store.ts';
import { readListQuery } from '../../resource/list/list-query.ts';
import { bodyTable } from '../../resource/list/table.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import { parseDeliveryIdPath } from './delivery-id.ts';
import { listRefusals, removeRefusals } from './refusal-store.ts';
import { newSlotToken, receivePath, toStoredToken } from './slot-token.ts';

export interface ReceiveSlotServices extends ResourceServices {
  /** Public origin of the space. */
  publicUrl: string;
  /** Domain of the mail addresses of slots. */
  mailDomain: string;
}

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

export const receiveSlotBehaviour: Behaviour<typeof receiveSlot, ReceiveSlotServices> = {
  resource: receiveSlot,
  table,
  body(context, input, before) {
    const kind = String(input.kind);
    if (before && before.kind !== kind) {
      const reason = context.t('mail-in.kind-kept');
      throw new Problem('invalid', { invalidParams: [{ name: 'kind', reason }] });
    }
    checkDeliveryIdPath(context, input.deliveryIdPath);
    const kept = before && storedTokens(before);
    return {
      ...input,
      ...(kept ?? { ...newTokens(context, kind, 'primary'), ...newTokens(context, kind, 'secondary') }),
    };
  },
  afterRemove: (tx, _context, id) => removeRefusals(tx, id),
  present: showAddresses,
  calls: { refusals, regenerate: regenerateAddress },
};

function checkDeliveryIdPath({ t }: RequestContext, given: unknown): void {
  if (typeof given !== 'string') return;
  try {
    parseDeliveryIdPath(given);
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    throw invalidField('deliveryIdPath', formatReason(error.reason, t));
  }
}

/** Latest refused requests of a slot, all on one page. */
async function refusals(context: RequestContext): Promise<Page<unknown>> {
  const { database } = context.services;
  const { receiveSlotId } = context.params;
  const slot =
    isUuid(receiveSlotId) && (await findItem(database, context, receiveSlot, table, receiveSlotId));
  if (!slot) throw itemNotFound(context, receiveSlot);
  const { limit: max, offset } = context.query;
  const { limit } = readListQuery(receiveSlot, { limit: max, offset }, context.t);
  const found = await listRefusals(database, context.spaceId, receiveSlotId);
  const start = Number(offset ?? 0);
  const items = found.slice(start, start + (max ? limit : found.length));
  return { items, total: found.length, limit: max ? limit : found.length, offset: start };
}

function showAddresses(
  context: RequestContext<ReceiveSlotServices>,
  item: Record<string, unknown>,
): Record<string, unknown> {
  const { primaryToken, secondaryToken, primaryTokenSealed, secondaryTokenSealed, watchReason, ...rest } =
    item;
  const { sealing } = context.services;
  const open = (sealed: unknown) => sealing.open(context.spaceId, String(sealed));
  const { publicUrl, mailDomain } = context.services;
  const address = (token: unknown) =>
    item.kind === 'email' ? `${token}@${mailDomain}` : `${publicUrl}${receivePath}/${token}`;
  return {
    ...rest,
    primary: address(open(primaryTokenSealed)),
    secondary: address(open(secondaryTokenSealed)),
    watchReason: slotWatchText(watchReason as Reason, item.watchState === 'overdue', context.t),
  };
}

type SlotEndpoint = (typeof slotAddresses)[number];

/**
 * Creates a token for one address: the hash used to look up the slot, and the sealed token for users who may
 * see it.
 */
function newTokens(
  { services, spaceId }: RequestContext,
  kind: string,
  pathParams: SlotEndpoint,
): Record<string, string> {
  return toStoredToken(services.sealing, spaceId, pathParams, newSlotToken(kind));
}

function storedTokens(body: Record<string, unknown>): Record<string, unknown> {
  const { primaryToken, secondaryToken, primaryTokenSealed, secondaryTokenSealed } = body;
  return { primaryToken, secondaryToken, primaryTokenSealed, secondaryTokenSealed };
}

/** Replaces the token of one address; messages to the old one are rejected from then on. */
async function regenerateAddress(context: CallContext<ReceiveSlotServices>, body: unknown): Promise<unknown> {
  const { address } = body as { address: SlotEndpoint };
  const { receiveSlotId } = context.params;
  const renewed = await context.transaction(async (tx) => {
    const slot = isUuid(receiveSlotId) && (await lockItem(tx, context, receiveSlot, receiveSlotId));
    if (!slot) throw itemNotFound(context, receiveSlot);
    const tokens = newTokens(context, String(slot.body.kind), address);
    await updateItem(tx, context, receiveSlot, receiveSlotId, { ...slot.body, ...tokens });
    return reloadItem(tx, context, receiveSlot, table, receiveSlotId);
  });
  announce(context, receiveSlot, receiveSlotId!, 'update');
  return showAddresses(context, renewed.item);
}
