// Prepares the stream of a viewer: checks that the session can be reached, and hands out a ticket.
import type { SessionAttachment } from '@yagura/core/greac/session';
import { gatewayTimeoutMs } from '@yagura/core/greac/stream/gateway-protocol';
import { Problem } from '@yagura/core/http/problem';
import { isoTime } from '../common/clock.ts';
import { translatable } from '../common/translatable-text.ts';
import type { CallContext } from '../resource/call-context.ts';
import type { ResourceServices } from '../resource/request-context.ts';
import { checkSessionLimits, StreamRefusal } from './session-limits.ts';
import { lockSession } from './session-store.ts';
import { insertTicket } from './session-tickets.ts';
import type { SessionRelay } from './stream/session-relay.ts';
import { requireDestination } from './visible-destination.ts';

export interface AttachServices extends ResourceServices {
  sessionRelay: Pick<SessionRelay, 'has'>;
}

export async function attachToSession(context: CallContext<AttachServices>): Promise<SessionAttachment> {
  const { clock, nextId, sessionRelay } = context.services;
  return context.transaction(async (tx) => {
    const { sessionId, destinationId, status } = await lockSession(tx, context);
    // A viewer that reconnects after the end of the session knows it by the code.
    if (status === 'closed')
      throw new StreamRefusal('SESSION_CLOSED', translatable('refusal.session-closed'));
    const { displayName, protocol, krokerId, parameters } = await requireDestination(
      tx,
      context,
      destinationId,
    );
    const { rows } = await tx.query<{
      krokerId: string | null;
      isOrdered: boolean;
      publicKey: SessionAttachment['publicKey'] | null;
      thumbprint: string;
      isConnected: boolean;
      isReachable: boolean;
    }>(
      `select coalesce(s.kroker_id, $2::uuid) as "krokerId", s.kroker_id is not null as "isOrdered",
         k.public_key as "publicKey", k.thumbprint, coalesce(c.seen_at > $3, false) as "isConnected",
         c.replica_url is not null as "isReachable"
       from greac_session s
       left join kroker_state k on k.space_id = s.space_id and k.kroker_id = coalesce(s.kroker_id, $2::uuid)
       left join kroker_connection c on c.kroker_id = k.kroker_id
       where s.session_id = $1`,
      [sessionId, krokerId, isoTime(clock.now() - gatewayTimeoutMs)],
    );
    const found = rows[0]!;
    if (found.krokerId === null)
      throw new Problem('conflict', { title: 'NO_KROKER', detail: context.t('refusal.no-kroker') });
    if (!found.publicKey)
      throw new Problem('conflict', { title: 'NO_KROKER', detail: context.t('refusal.kroker-not-set-up') });
    if (!found.isConnected) throw new StreamRefusal('GATEWAY_AWAY', translatable('refusal.kroker-away'));
    if (!found.isReachable && !sessionRelay.has(found.krokerId))
      throw new StreamRefusal('GATEWAY_AWAY', translatable('refusal.kroker-unreachable'));
    if (!found.isOrdered) await checkSessionLimits(tx, context.spaceId, found.krokerId);
    const viewerId = nextId();
    const ticket = await insertTicket(tx, context, { sessionId, viewerId });
    return {
      ticket,
      viewerId,
      krokerId: found.krokerId,
      publicKey: found.publicKey,
      thumbprint: found.thumbprint,
      protocol,
      parameters,
      displayName,
    };
  });
}
