// Writes Kroker events to its log within the transaction that causes them.
import { kroker } from '@yagura/core/kroker/kroker';
import type { KrokerEvent } from '@yagura/core/kroker/kroker-log';
import { krokerLog } from '@yagura/core/kroker/kroker-log';
import { type Clock, isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import { keepItem } from '../resource/item-store.ts';
import { rowTable } from '../resource/list/table.ts';

export const krokerLogBehaviour: Behaviour<typeof krokerLog> = {
  resource: krokerLog,
  table: rowTable(krokerLog, {
    from: 'kroker_log l',
    alias: 'l',
    parent: 'kroker_id',
    columns: { user: { sql: 'l."user"', type: 'text' }, name: { sql: 'l.subject', type: 'text' } },
    without: ['user', 'name'],
    select: 'l."user", l.subject',
    item: (row) => ({ user: row.user ?? null, name: row.subject }),
  }),
};

export interface KrokerLogEntry {
  spaceId: string;
  krokerId: string;
  event: KrokerEvent;
  /** Name of the credential or the machine, or its address. */
  subject: string;
  /** Email address; null for the machine itself. */
  user: string | null;
}

/**
 * Keeps a Kroker until the end of the transaction: its deletion would miss what is added meanwhile. False if it is gone. Comes
 * before the locks of its other rows, as in a deletion; the other order ends in a deadlock with it.
 */
export function keepKroker(
  tx: Transaction,
  { spaceId, krokerId }: Pick<KrokerLogEntry, 'spaceId' | 'krokerId'>,
): Promise<boolean> {
  return keepItem(tx, spaceId, kroker, krokerId);
}

/** Writes nothing for a Kroker that is gone. */
export async function writeKrokerLog(
  tx: Transaction,
  { clock, nextId }: { clock: Clock; nextId: NextId },
  entry: KrokerLogEntry,
): Promise<void> {
  if (!(await keepKroker(tx, entry))) return;
  await tx.query(
    `insert into kroker_log (kroker_log_id, space_id, kroker_id, event, subject, "user", created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      nextId(),
      entry.spaceId,
      entry.krokerId,
      entry.event,
      entry.subject.slice(0, 255),
      entry.user,
      isoTime(clock.now()),
    ],
  );
}

/** Whether the Kroker's log has such an entry since that time. */
export async function hasKrokerLog(
  db: Queryable,
  { krokerId, event, subject }: Pick<KrokerLogEntry, 'krokerId' | 'event' | 'subject'>,
  since: number,
): Promise<boolean> {
  const { rows } = await db.query(
    'select 1 from kroker_log where kroker_id = $1 and event = $2 and subject = $3 and created_at > $4 limit 1',
    [krokerId, event, subject, isoTime(since)],
  );
  return rows.length > 0;
}
