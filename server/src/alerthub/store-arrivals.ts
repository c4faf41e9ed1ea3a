// Writes arrivals into the store, many in one statement, and finds those that repeat a message.
import { binaryArray } from '../db/binary-array.ts';
import type { Database } from '../db/database.ts';
import type { Mail } from './mail/read-mail.ts';
import type { SlotAddress } from './slot-directory.ts';
import { oneLine, summaryOf } from './summary.ts';

export interface Arrival {
  address: SlotAddress;
  /** Of a mail: the address it was sent to. */
  requestUrl: string;
  headers: Record<string, string>;
  body: Buffer;
  /** What the sender says makes two posts the same message (Idempotency-Key and the like). */
  deliveryKey: string | undefined;
  /** What a mail says; its bytes are the body. */
  mail?: Mail;
}

/** An arrival that has been given its id. */
export interface Row extends Arrival {
  messageId: string;
  receivedAt: string;
  /** Sixteen bytes: of the delivery key, or else of the body. */
  fingerprint: Buffer;
  /** Where it stands in the intake journal, when it does. */
  place?: number;
}

/** A message that has just been committed, with its place in the waiting line. */
export interface StoredMessage extends Row {
  seq: string;
}

/** For so long the same body at the other address of its slot is the same message. */
export const twinMinutes = 10;

/**
 * The arrays are selected so that the planner cannot look into them: a plan made for each batch anew would cost several
 * times what running it does.
 */
const insert = {
  name: 'message-intake',
  text: `
    with given as (
      select * from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::uuid[]), (select $4::text[]),
        (select $5::text[]), (select $6::timestamptz[]), (select $7::text[]), (select $8::jsonb[]), (select $9::bytea[]),
        (select $10::text[]), (select $11::bytea[]), (select $12::boolean[]), (select $13::jsonb[]))
      with ordinality as g(message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url, headers,
        body, summary, fingerprint, keyed, mail, position)
    ), known as (
      select g.message_id, (
        select m.message_id from message m
        where m.receive_slot_id = g.receive_slot_id and m.fingerprint = g.fingerprint
          and case when g.keyed then m.received_at > g.received_at - interval '24 hours'
            else m.received_at > g.received_at - interval '${twinMinutes} minutes' and m.place <> g.place
              and not exists (select 1 from message_twin t where t.message_id = m.message_id) end
        order by m.received_at limit 1
      ) as original, g.received_at, g.place
      from given g
    ), twin as (
      insert into message_twin (message_id, place, received_at)
      select distinct on (original) original, place, received_at from known where original is not null
      on conflict do nothing
    ), stored as (
      insert into message (message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url, headers,
        body, size, summary, fingerprint, mail)
      select g.message_id, g.space_id, g.receive_slot_id, g.receive_slot_kind, g.place, g.received_at, g.request_url, g.headers,
        g.body, length(g.body), g.summary, g.fingerprint, g.mail
      from given g join known k using (message_id) where k.original is null
    ), pending as (
      insert into message_pending (message_id)
      select g.message_id from given g join known k using (message_id) where k.original is null order by g.position
      returning seq
    ), marked as (
      update intake_mark set place = $14::bigint where $14::bigint is not null
    )
    select (select coalesce(array_agg(seq::text order by seq), '{}') from pending) as seqs,
      (select coalesce(json_agg(json_build_array(message_id, original)), '[]'::json) from known where original is not null)
        as known`,
};

/** What was stored, in order of the waiting line, and for each row the id of its message: of a repeat, the first one's. */
export async function storeArrivals(
  database: Database,
  rows: readonly Row[],
): Promise<{ stored: StoredMessage[]; ids: string[] }> {
  const { fresh, twins } = pairWithin(rows);
  const originals = new Map<string, string>(twins);
  const places = rows.flatMap(({ place }) => place ?? []);
  const result = await database.query<{ seqs: string[]; known: [string, string][] }>(insert, [
    ...columnsOf(fresh),
    places.length === 0 ? null : Math.max(...places),
  ]);
  const { seqs, known } = result.rows[0]!;
  for (const [messageId, original] of known) originals.set(messageId, original);
  // Those that are no repeat took their places in the line in this order.
  const stored = fresh
    .filter((row) => !originals.has(row.messageId))
    .map((row, index) => ({ ...row, seq: seqs[index]! }));
  return { stored, ids: rows.map((row) => resolveOriginal(row.messageId, originals)) };
}

/** The parameters of `given`, in their order. */
function columnsOf(rows: readonly Row[]): Buffer[] {
  const of = <T>(pick: (row: Row) => T) => rows.map(pick);
  return [
    binaryArray(
      'uuid',
      of((row) => row.messageId),
    ),
    binaryArray(
      'uuid',
      of((row) => row.address.spaceId),
    ),
    binaryArray(
      'uuid',
      of((row) => row.address.receiveSlotId),
    ),
    binaryArray(
      'text',
      of((row) => row.address.kind),
    ),
    binaryArray(
      'text',
      of((row) => row.address.place),
    ),
    binaryArray(
      'timestamptz',
      of((row) => row.receivedAt),
    ),
    binaryArray(
      'text',
      of((row) => row.requestUrl),
    ),
    binaryArray(
      'jsonb',
      of((row) => JSON.stringify(row.headers)),
    ),
    binaryArray(
      'bytea',
      of((row) => row.body),
    ),
    binaryArray(
      'text',
      of(({ mail, body }) => (mail ? oneLine(mail.subject || mail.text) : summaryOf(body))),
    ),
    binaryArray(
      'bytea',
      of((row) => row.fingerprint),
    ),
    binaryArray(
      'bool',
      of((row) => row.deliveryKey !== undefined),
    ),
    binaryArray(
      'jsonb',
      of((row) => (row.mail ? JSON.stringify(row.mail) : null)),
    ),
  ];
}

/** Repeats among messages that arrived together: by key, or one of each body at each address. */
function pairWithin(rows: readonly Row[]): { fresh: Row[]; twins: [string, string][] } {
  const fresh: Row[] = [];
  const twins: [string, string][] = [];
  const single = new Map<string, Row>();
  for (const row of rows) {
    const key = `${row.address.receiveSlotId} ${row.fingerprint.toString('hex')}`;
    const first = single.get(key);
    if (first && (row.deliveryKey !== undefined || first.address.place !== row.address.place)) {
      twins.push([row.messageId, first.messageId]);
      if (row.deliveryKey === undefined) single.delete(key);
      continue;
    }
    if (!first) single.set(key, row);
    fresh.push(row);
  }
  return { fresh, twins };
}

function resolveOriginal(id: string, originals: Map<string, string>): string {
  let found = id;
  while (originals.has(found)) found = originals.get(found)!;
  return found;
}
