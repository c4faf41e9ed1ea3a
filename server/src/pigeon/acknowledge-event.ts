// Acknowledges the event that a chain is about, for a callee who pressed a key.
import type { EventAcknowledgement } from '@yagura/core/alerthub/event';
import { isoTime } from '../common/clock.ts';
import type { Transaction } from '../db/database.ts';
import type { ChainCall } from './chain-state.ts';
import type { StoredChain } from './chain-store.ts';

/** Stores an acknowledgement; returns the scope of the event, null if the event has been deleted. */
export type StoreAcknowledgement = (
  tx: Transaction,
  event: { spaceId: string; eventId: string },
  acknowledgement: EventAcknowledgement,
) => Promise<string | null>;

interface AcknowledgedEvent {
  eventId: string;
  scopeId: string;
}

/**
 * Returns the event, which a trigger passed to the chain itself or to the runbook that started it; null if the chain is
 * about none, or it has been deleted.
 */
export async function acknowledgeEvent(
  tx: Transaction,
  store: StoreAcknowledgement,
  { resultId, spaceId }: Pick<StoredChain, 'resultId' | 'spaceId'>,
  { stop, keyInput }: ChainCall,
  now: number,
): Promise<AcknowledgedEvent | null> {
  const { rows } = await tx.query<{ event_id: string | null }>(
    `select coalesce(a.event_id, r.event_id) as event_id from pigeon_chain c
       join action_record a on a.action_record_id = c.action_record_id
       left join runbook_record r on r.runbook_record_id = a.runbook_record_id
     where c.result_id = $1`,
    [resultId],
  );
  const eventId = rows[0]?.event_id;
  if (!eventId) return null;
  const scopeId = await store(
    tx,
    { spaceId, eventId },
    {
      name: stop.displayName,
      userId: null,
      note: '',
      contactId: stop.contactId,
      resultId,
      keyInput: keyInput ?? '',
      acknowledgedAt: isoTime(now),
    },
  );
  return scopeId === null ? null : { eventId, scopeId };
}
