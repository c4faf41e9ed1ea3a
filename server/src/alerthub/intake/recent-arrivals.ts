// Loads recent messages for duplicate detection, and stores which messages arrived at both addresses of a
// slot.
import { isoTime } from '../../common/clock.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { bodyDuplicateWindowMs, type KnownMessage } from '../../receiver/recent-messages.ts';
import type { ArrivalRow } from '../arrivals/arrival.ts';

/** In a message storm only the newest are loaded: the database itself detects the others. */
const maxMessages = 100_000;

interface RecentArrivals {
  /** In order of arrival. */
  messages: KnownMessage[];
  /** All messages that were received after this time are among them; milliseconds since the Unix epoch. */
  since: number;
}

/**
 * For each space, the messages of the last minutes before its newest one: senders repeat what a crash interrupted, with
 * the same key, once the server is back, however long that took.
 */
export async function loadRecentMessages(database: Database, now: number): Promise<RecentArrivals> {
  const { rows } = await database.query<{
    message_id: string;
    receive_slot_id: string;
    place: KnownMessage['endpoint'];
    fingerprint: Buffer;
    received_at: string;
    is_paired: boolean;
  }>(
    `with recursive spaces as (
       (select space_id from message order by space_id limit 1)
       union all
       select (select m.space_id from message m where m.space_id > s.space_id order by m.space_id limit 1)
       from spaces s where s.space_id is not null
     )
     select m.*, exists (select 1 from message_repeat t where t.message_id = m.message_id) as is_paired
     from spaces s cross join lateral (
       select m.message_id, m.receive_slot_id, m.place, m.fingerprint, m.received_at from message m
       where m.space_id = s.space_id and m.received_at > least($1::timestamptz, (
         select l.received_at from message l where l.space_id = s.space_id order by l.received_at desc limit 1
       )) - $2 * interval '1 millisecond'
       order by m.received_at desc, m.message_id desc limit ${maxMessages}
     ) m
     order by m.received_at desc, m.message_id desc limit ${maxMessages}`,
    [isoTime(now), bodyDuplicateWindowMs],
  );
  const messages = rows.reverse().map((row) => ({
    receiveSlotId: row.receive_slot_id,
    endpoint: row.place,
    fingerprint: row.fingerprint,
    messageId: row.message_id,
    at: Date.parse(row.received_at),
    isPaired: row.is_paired,
  }));
  return { messages, since: messages.length < maxMessages ? now - bodyDuplicateWindowMs : messages[0]!.at };
}

/** Records which messages these rows duplicate. */
export async function recordDuplicates(
  database: Queryable,
  repeats: readonly { row: ArrivalRow; original: string }[],
): Promise<void> {
  await database.query(
    {
      name: 'pair-arrivals',
      text: `insert into message_repeat (message_id, place, received_at)
             select * from unnest($1::uuid[], $2::text[], $3::timestamptz[]) on conflict do nothing`,
    },
    [
      repeats.map(({ original }) => original),
      repeats.map(({ row }) => row.address.endpoint),
      repeats.map(({ row }) => row.receivedAt),
    ],
  );
}
