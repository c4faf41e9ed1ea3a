// Records on an event that a callee acknowledged it with a key.
import type { EventAcknowledgement } from '@yagura/core/alerthub/event';
import { isoTime } from '../common/clock.ts';
import type { Transaction } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';
import type { ChainCall } from './chain-state.ts';
import type { StoredChain } from './chain-store.ts';

/**
 * Returns the id of the event, which a trigger passed to the chain itself or to the runbook that started it; null
 * if the chain is about none, or it has been deleted.
 */
export async function acknowledgeEvent(
  tx: Transaction,
  { resultId, spaceId }: Pick<StoredChain, 'resultId' | 'spaceId'>,
  { stop, keyInput }: ChainCall,
  now: number,
): Promise<string | null> {
  const acknowledgement: EventAcknowledgement = {
    name: stop.displayName,
    contactId: stop.contactId,
    resultId,
    keyInput: keyInput ?? '',
    acknowledgedAt: isoTime(now),
  };
  const { rows } = await tx.query<{ event_id: string }>(
    `update event e set acknowledgements = e.acknowledgements || $3::jsonb
     from pigeon_chain c join action_record a on a.action_record_id = c.action_record_id
       left join runbook_record r on r.runbook_record_id = a.runbook_record_id
     where c.result_id = $1 and e.event_id = coalesce(a.event_id, r.event_id) and e.space_id = $2
     returning e.event_id`,
    [resultId, spaceId, toStoreJson([acknowledgement])],
  );
  return rows[0]?.event_id ?? null;
}
