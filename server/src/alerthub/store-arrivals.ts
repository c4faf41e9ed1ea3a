// Writes arrivals into the store, many in one statement, and finds those that repeat a message.
import { RowColumns } from '../db/binary-array.ts';
import type { Queryable } from '../db/database.ts';
import { bodyWindow, keyWindow } from '../receiver/recent-messages.ts';
import type { Change } from '../resource/change-bus.ts';
import type { Mail } from './mail/read-mail.ts';
import { maskedUrl } from './slot-address.ts';
import type { SlotAddress } from './slot-directory.ts';
import { oneLine, summaryOf } from './summary.ts';

export interface Arrival {
  address: SlotAddress;
  /** Without the token; of a mail: the address it was sent to. */
  requestUrl: string;
  headers: Record<string, string>;
  body: Buffer;
  /** What the sender says makes two posts the same message (Idempotency-Key and the like). */
  deliveryKey: string | undefined;
  /** What a mail says; its bytes are the body. */
  mail?: Mail;
}

/** Takes an arrival; resolves with its message's id once it is on disk. */
export interface Taker {
  receive(arrival: Arrival): Promise<string>;
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

/** What `arrivedText` takes as parameters. */
export const arrivalColumns = new RowColumns<Row>({
  message_id: ['uuid', (row) => row.messageId],
  space_id: ['uuid', (row) => row.address.spaceId],
  receive_slot_id: ['uuid', (row) => row.address.receiveSlotId],
  receive_slot_kind: ['text', (row) => row.address.kind],
  place: ['text', (row) => row.address.place],
  received_at: ['timestamptz', (row) => row.receivedAt],
  // What an earlier release left in its journal has the whole URL.
  request_url: ['text', (row) => (row.mail ? row.requestUrl : maskedUrl(row.requestUrl))],
  headers: ['jsonb', (row) => JSON.stringify(row.headers)],
  body: ['bytea', (row) => row.body],
  summary: ['text', ({ mail, body }) => (mail ? oneLine(mail.subject || mail.text) : summaryOf(body))],
  fingerprint: ['bytea', (row) => row.fingerprint],
  keyed: ['bool', (row) => row.deliveryKey !== undefined],
  mail: ['jsonb', (row) => (row.mail ? JSON.stringify(row.mail) : null)],
});

/** Parts of a statement: arrivals whose columns are its parameters from `$first` on, and the message each repeats, if any. */
export function arrivedText(first: number): string {
  return `arrived as (
      select * from ${arrivalColumns.from(first, 'position')}
    ), known as (
      select g.message_id, (
        select m.message_id from message m
        where m.receive_slot_id = g.receive_slot_id and m.fingerprint = g.fingerprint
          and case when g.keyed then m.received_at > g.received_at - interval '24 hours'
            else m.received_at > g.received_at - interval '${twinMinutes} minutes' and m.place <> g.place
              and not exists (select 1 from message_twin t where t.message_id = m.message_id) end
        order by m.received_at limit 1
      ) as original, g.received_at, g.place
      from arrived g
    )`;
}

/** The part that writes those of `arrived` that `rows` has, as \`g\`. */
export function storedText(rows: string): string {
  return `stored as (
      insert into message (message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url, headers,
        body, size, summary, fingerprint, mail)
      select g.message_id, g.space_id, g.receive_slot_id, g.receive_slot_kind, g.place, g.received_at, g.request_url, g.headers,
        g.body, length(g.body), g.summary, g.fingerprint, g.mail
      from ${rows}
    )`;
}

const mark = `$${arrivalColumns.count + 1}::bigint`;
const insert = {
  name: 'message-intake',
  text: `
    with ${arrivedText(1)}, fresh as (
      select g.* from arrived g join known k using (message_id) where k.original is null
    ), twin as (
      insert into message_twin (message_id, place, received_at)
      select distinct on (original) original, place, received_at from known where original is not null
      on conflict do nothing
    ), ${storedText('fresh g')}, pending as (
      insert into message_pending (message_id) select message_id from fresh order by position
      returning seq
    ), marked as (
      update intake_mark set place = ${mark} where ${mark} is not null
    )
    select (select coalesce(array_agg(seq::text order by seq), '{}') from pending) as seqs,
      (select coalesce(json_agg(json_build_array(message_id, original)), '[]'::json) from known where original is not null)
        as known`,
};

/** What was stored, in order of the waiting line, and for each row the id of its message: of a repeat, the first one's. */
export async function storeArrivals(
  database: Queryable,
  rows: readonly Row[],
): Promise<{ stored: StoredMessage[]; ids: string[] }> {
  const { fresh, twins } = pairWithin(rows);
  const originals = new Map<string, string>(twins);
  const result = await database.query<{ seqs: string[]; known: [string, string][] }>(insert, [
    ...arrivalColumns.of(fresh),
    markOf(rows),
  ]);
  const { seqs, known } = result.rows[0]!;
  for (const [messageId, original] of known) originals.set(messageId, original);
  // Those that are no repeat took their places in the line in this order.
  const stored = fresh
    .filter((row) => !originals.has(row.messageId))
    .map((row, index) => ({ ...row, seq: seqs[index]! }));
  return { stored, ids: rows.map((row) => resolveOriginal(row.messageId, originals)) };
}

/** What is told of messages that the store has taken in. */
export function arrivalChanges(rows: readonly Row[]): Change[] {
  return rows.map(({ address, messageId, receivedAt }) => ({
    spaceId: address.spaceId,
    resource: 'message',
    id: messageId,
    op: 'create',
    at: receivedAt,
  }));
}

/** How far the store has the intake journal once it has these; null when they are not from there. */
export function markOf(rows: readonly Row[]): number | null {
  let last: number | null = null;
  for (const { place } of rows) if (place !== undefined && place > (last ?? 0)) last = place;
  return last;
}

/** Repeats among messages that arrived together: by key, or one of each body at each address. */
export function pairWithin(rows: readonly Row[]): { fresh: Row[]; twins: [string, string][] } {
  const fresh: Row[] = [];
  const twins: [string, string][] = [];
  const single = new Map<string, Row>();
  for (const row of rows) {
    const key = `${row.address.receiveSlotId} ${row.fingerprint.toString('hex')}`;
    const earlier = single.get(key);
    // What waited long for the store may have come long after one another.
    const first = earlier && isNear(earlier, row) ? earlier : undefined;
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

function isNear(first: Row, { receivedAt, deliveryKey }: Row): boolean {
  const window = deliveryKey === undefined ? bodyWindow : keyWindow;
  return Date.parse(receivedAt) - Date.parse(first.receivedAt) < window;
}

function resolveOriginal(id: string, originals: Map<string, string>): string {
  let found = id;
  while (originals.has(found)) found = originals.get(found)!;
  return found;
}
