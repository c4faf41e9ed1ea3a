// Remote sessions: permissions to open, see, join and close them, and access to their recordings.
import { destination } from '@yagura/core/greac/destination';
import { session } from '@yagura/core/greac/session';
import { invalidField } from '@yagura/core/http/problem';
import { isoTime } from '../common/clock.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import type { CallContext } from '../resource/call-context.ts';
import { announce, checkMatch } from '../resource/item-operations.ts';
import { keepItem, type StoredItem } from '../resource/item-store.ts';
import type { RequestContext } from '../resource/request-context.ts';
import { type AttachServices, attachToSession } from './attach-to-session.ts';
import { narrowSessions } from './narrow-by-membership.ts';
import {
  assertNotClosed,
  type CloseReason,
  closeSession,
  findSession,
  insertSession,
  joinSession,
  leaveSession,
  lockSession,
  type Members,
  sessionTable,
} from './session-store.ts';
import { findVisibleDestination, requireDestination } from './visible-destination.ts';

export const sessionBehaviour: Behaviour<typeof session, AttachServices> = {
  resource: session,
  table: sessionTable,
  rowFilter: narrowSessions,
  async create(tx, context, input) {
    const found = await findVisibleDestination(tx, context, String(input.destinationId));
    if (!found || !(await keepItem(tx, context.spaceId, destination, String(found.destinationId))))
      throw invalidField('destinationId', context.t('rule.reference'));
    const { destinationId, displayName, protocol, members } = found as {
      destinationId: string;
      displayName: string;
      protocol: string;
      members: Members;
    };
    const messageId = (input.messageId as string | null | undefined) ?? null;
    await checkMessage(tx, context, messageId);
    const id = await insertSession(tx, context, {
      destinationId,
      displayName,
      protocol,
      remarks: String(input.remarks),
      messageId,
      members,
    });
    const { item } = (await findSession(tx, context, id))!;
    return { item, onCommitted: () => announce(context, session, id, 'create') };
  },
  async edit(tx, context, input, ifMatch) {
    const { sessionId, destinationId, version } = await lockSession(tx, context);
    checkMatch(ifMatch, version);
    if (input.destinationId !== destinationId)
      throw invalidField('destinationId', context.t('greac.other-destination'));
    const { item } = (await findSession(tx, context, sessionId))!;
    const { remarks, messageId = item.messageId } = input as { remarks: string; messageId?: string | null };
    // A message that was deleted since stays.
    if (messageId !== item.messageId) await checkMessage(tx, context, messageId as string | null);
    await tx.query(
      `update greac_session set remarks = $2, message_id = $3, updated_at = $4, version = version + 1
       where session_id = $1`,
      [sessionId, remarks, messageId, isoTime(context.services.clock.now())],
    );
    return {
      before: item,
      after: (await findSession(tx, context, sessionId))!,
      onCommitted: () => announce(context, session, sessionId, 'update'),
    };
  },
  calls: {
    join: (context) =>
      changed(context, async (tx, { sessionId, destinationId, status }) => {
        assertNotClosed(context, status);
        await requireDestination(tx, context, destinationId);
        return joinSession(tx, context, sessionId);
      }),
    attach: attachToSession,
    leave: (context) => changed(context, (tx, { sessionId }) => leaveSession(tx, context, sessionId)),
    close: (context) => changed(context, closing(context, 'ended')),
    'close-force': (context) => changed(context, closing(context, 'forced')),
  },
};

/** Throws unless the caller may read the message. */
async function checkMessage(db: Queryable, context: RequestContext, messageId: string | null): Promise<void> {
  if (messageId === null) return;
  const { rows } = context.may('alerthub:messages:get')
    ? await db.query('select 1 from message where space_id = $1 and message_id = $2', [
        context.spaceId,
        messageId,
      ])
    : { rows: [] };
  if (rows.length === 0) throw invalidField('messageId', context.t('rule.reference'));
}

type Held = Awaited<ReturnType<typeof lockSession>>;

/**
 * Runs a change on the session of the path, publishes it when something changed, and returns the session.
 */
async function changed(
  context: CallContext,
  change: (tx: Transaction, held: Held) => Promise<boolean>,
): Promise<StoredItem['item']> {
  const { item, told } = await context.transaction(async (tx) => {
    const held = await lockSession(tx, context);
    const told = await change(tx, held);
    return { item: (await findSession(tx, context, held.sessionId))!.item, told };
  });
  if (told) announce(context, session, String(item.sessionId), 'update');
  return item;
}

function closing(context: RequestContext, reason: CloseReason) {
  return async (tx: Transaction, { sessionId, status }: Held) => {
    assertNotClosed(context, status);
    await closeSession(tx, sessionId, reason, isoTime(context.services.clock.now()));
    return true;
  };
}
