// Stores the latest refused requests of each receive slot.
import type { slotRefusal } from '@yagura/core/alerthub/receive-slot';
import type { z } from 'zod';
import { type Clock, isoTime } from '../../common/clock.ts';
import { FailureLog } from '../../common/failure-log.ts';
import type { Log } from '../../common/log.ts';
import type { Database, Queryable } from '../../db/database.ts';
import type { Refusal } from './refusal.ts';

/** Maximum combinations of sender and reason kept for each slot; the latest ones stay. */
const maxPerSlot = 20;
const failureMessage = 'refused requests were not recorded';

export class RefusalStore {
  private readonly database: Pick<Database, 'transaction'>;
  private readonly failures: FailureLog;

  constructor({ database, ...deps }: { database: Pick<Database, 'transaction'>; clock: Clock; log: Log }) {
    this.database = database;
    this.failures = new FailureLog(deps);
  }

  /** Adds refusals to those stored. A failure is only logged: the senders have their response. */
  async add(refusals: readonly Refusal[]): Promise<void> {
    try {
      await this.database.transaction(async (tx) => {
        await tx.query(
          `insert into slot_refusal (receive_slot_id, space_id, address, reason, method, sender, user_agent, count, refused_at)
           select r.id, r.space_id, x.address, x.reason, x.method, x.sender, x."userAgent", x.count, x."refusedAt"
           from jsonb_to_recordset($1::jsonb) as x("receiveSlotId" uuid, address text, reason text, method text,
             sender text, "userAgent" text, count bigint, "refusedAt" timestamptz)
           join resource r on r.kind = 'receive-slot' and r.id = x."receiveSlotId"
           order by r.id for key share of r
           on conflict (receive_slot_id, address, reason, method, sender) do update
           set count = slot_refusal.count + excluded.count, user_agent = excluded.user_agent,
             refused_at = excluded.refused_at`,
          [JSON.stringify(refusals.map((one) => ({ ...one, refusedAt: isoTime(one.refusedAt) })))],
        );
        await tx.query(
          `delete from slot_refusal s using (
             select receive_slot_id, address, reason, method, sender,
               row_number() over (partition by receive_slot_id order by refused_at desc) as position
             from slot_refusal where receive_slot_id = any($1::uuid[])
           ) o
           where o.position > ${maxPerSlot} and (s.receive_slot_id, s.address, s.reason, s.method, s.sender)
             = (o.receive_slot_id, o.address, o.reason, o.method, o.sender)`,
          [[...new Set(refusals.map(({ receiveSlotId }) => receiveSlotId))]],
        );
      });
      this.failures.succeeded(failureMessage);
    } catch (error) {
      this.failures.failed({ level: 'warn', message: failureMessage }, error);
    }
  }
}

/** Returns the stored refusals of a slot, latest first. */
export async function listRefusals(
  database: Queryable,
  spaceId: string,
  receiveSlotId: string,
): Promise<z.output<typeof slotRefusal>[]> {
  const { rows } = await database.query<z.output<typeof slotRefusal>>(
    `select refused_at as "refusedAt", reason, address, method, sender, user_agent as "userAgent", count::int as count
     from slot_refusal where space_id = $1 and receive_slot_id = $2 order by refused_at desc, sender, reason`,
    [spaceId, receiveSlotId],
  );
  return rows;
}

export async function removeRefusals(database: Queryable, receiveSlotId: string): Promise<void> {
  await database.query('delete from slot_refusal where receive_slot_id = $1', [receiveSlotId]);
}
