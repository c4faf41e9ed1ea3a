// Inserts received messages, many per statement, and detects duplicates.

import { RowColumns } from '../../db/binary-array.ts';
import type { Change } from '../../db/change-bus.ts';
import type { Queryable } from '../../db/database.ts';
import { OutdatedBatch } from '../../jobs/poison-row-guard.ts';
import { bodyDuplicateWindowMs, keyDuplicateWindowMs } from '../../receiver/recent-messages.ts';
import type { ArrivalRow } from '../arrivals/arrival.ts';
import { summarize, toOneLine } from '../messages/message-summary.ts';
import { maskedUrl } from '../slots/slot-token.ts';

/** A committed message with its position in the queue. */
export interface StoredMessage extends ArrivalRow {
  seq: string;
}

/** Parameters of `arrivedText`. */
export const arrivalColumns = new RowColumns<ArrivalRow>({
  message_id: ['uuid', (row) => row.messageId],
  space_id: ['uuid', (row) => row.address.spaceId],
  receive_slot_id: ['uuid', (row) => row.address.receiveSlotId],
  receive_slot_kind: ['text', (row) => row.address.kind],
  place: ['text', (row) => row.address.endpoint],
  received_at: ['timestamptz', (row) => row.receivedAt],
  // Journals of earlier releases contain the whole URL.
  request_url: ['text', (row) => (row.mail ? row.requestUrl : maskedUrl(row.requestUrl))],
  headers: ['jsonb', (row) => JSON.stringify(row.headers)],
  body: ['bytea', ({ body, inlineBytes }) => body.subarray(0, inlineBytes)],
  size: ['int4', (row) => row.body.length],
  summary: [
    'text',
    ({ mail, body, headers }) => (mail ? toOneLine(mail.subject || mail.text) : summarize(body, headers)),
  ],
  fingerprint: ['bytea', (row) => row.fingerprint],
  keyed: ['bool', (row) => row.deliveryKey !== undefined],
  known_new: ['bool', (row) => row.isKnownNew === true],
  mail: ['jsonb', (row) => (row.mail ? JSON.stringify(row.mail) : null)],
});

/**
 * Parts of a statement: received messages, passed as parameters from `$first` on, with the original of each
 * duplicate.
 */
export function arrivedCte(first: number): string {
  return `arrived as (
      select * from ${arrivalColumns.unnestSql(first, 'position')}
    ), known as (
      select g.message_id, case when not g.known_new then (
        select m.message_id from message m
        where m.receive_slot_id = g.receive_slot_id and m.fingerprint = g.fingerprint
          and case when g.keyed then m.received_at > g.received_at - interval '${keyDuplicateWindowMs} milliseconds'
            else m.received_at > g.received_at - interval '${bodyDuplicateWindowMs} milliseconds' and m.place <> g.place
              and not exists (select 1 from message_repeat t where t.message_id = m.message_id) end
        order by m.received_at limit 1
      ) end as original, g.received_at, g.place
      from arrived g
    )`;
}

/** The part that inserts those of `arrived` that are also in `rows`, as `g`. */
export function storedCte(rows: string): string {
  return `stored as (
      insert into message (message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url, headers,
        body, size, summary, fingerprint, mail)
      select g.message_id, g.space_id, g.receive_slot_id, g.receive_slot_kind, g.place, g.received_at, g.request_url, g.headers,
        g.body, g.size, g.summary, g.fingerprint, g.mail
      from ${rows}
    )`;
}

/**
 * Parts of a statement that advances the position of a journal to that of its rows; the parameters are
 * `journalStep`. `marked` is empty, and nothing may be stored, if another process has taken the journal over or
 * the rows were stored before: by a statement whose connection was lost.
 */
export function markedCte(first: number, condition = 'true'): string {
  return `marked as (
      update intake_journal set stored_up_to = $${first + 2}::bigint
      where journal_id = $${first}::uuid and ended_at is null and stored_up_to < $${first + 1}::bigint and ${condition}
      returning 1
    )`;
}

/** Number of parameters of `markedCte`. */
export const journalStepCount = 3;

/** Id of the journal, and the first and last position of rows; null if they are not from a journal. */
export function journalStep(
  rows: readonly ArrivalRow[],
): [journalId: string, first: number, last: number] | [null, null, null] {
  const first = rows[0]?.journalEntry;
  const last = rows.at(-1)?.journalEntry;
  return first && last ? [first.journalId, first.sequence, last.sequence] : [null, null, null];
}

/** The journal belongs to another process, or the rows are stored already. */
export class JournalStepRefused extends OutdatedBatch {
  override readonly name = 'JournalStepRefused';
}

const stepParameter = arrivalColumns.count + 1;
const insertStatement = {
  name: 'message-intake',
  text: `
    with ${arrivedCte(1)}, ${markedCte(stepParameter)}, given as (
      select where $${stepParameter}::uuid is null or exists (select 1 from marked)
    ), fresh as (
      select g.* from given, arrived g join known k using (message_id) where k.original is null
    ), repeats as (
      insert into message_repeat (message_id, place, received_at)
      select distinct on (original) original, place, received_at from given, known where original is not null
      on conflict do nothing
    ), ${storedCte('fresh g')}, pending as (
      insert into message_pending (message_id) select message_id from fresh order by position
      returning seq
    )
    select (select count(*)::int from given) as done,
      (select coalesce(array_agg(seq::text order by seq), '{}') from pending) as seqs,
      (select coalesce(json_agg(json_build_array(message_id, original)), '[]'::json) from known where original is not null)
        as known`,
};

/**
 * Returns the inserted messages in queue order, and the message id of each row (for a duplicate, that of the
 * original). Throws JournalStepRefused, and stores nothing, if the rows do not continue their journal.
 */
export async function storeArrivals(
  database: Queryable,
  rows: readonly ArrivalRow[],
): Promise<{ stored: StoredMessage[]; ids: string[] }> {
  const { fresh, duplicates } = pairDuplicates(rows);
  const originals = new Map<string, string>(duplicates);
  const result = await database.query<{ done: number; seqs: string[]; known: [string, string][] }>(
    insertStatement,
    [...arrivalColumns.toParameters(fresh), ...journalStep(rows)],
  );
  const { done, seqs, known } = result.rows[0]!;
  if (done === 0)
    throw new JournalStepRefused('the database does not continue the journal with these messages');
  for (const [messageId, original] of known) originals.set(messageId, original);
  // Queue positions were assigned in this order to all that are no duplicates.
  const stored = fresh
    .filter((row) => !originals.has(row.messageId))
    .map((row, index) => ({ ...row, seq: seqs[index]! }));
  return { stored, ids: rows.map((row) => resolveOriginal(row.messageId, originals)) };
}

/** Announcements of stored messages. */
export function arrivalChanges(rows: readonly ArrivalRow[]): Change[] {
  return rows.map(({ address, messageId, receivedAt }) => ({
    spaceId: address.spaceId,
    resource: 'message',
    id: messageId,
    op: 'create',
    at: receivedAt,
  }));
}

/** Finds duplicates within a batch: the same key, or the same body at both addresses (paired one to one). */
export function pairDuplicates(rows: readonly ArrivalRow[]): {
  fresh: ArrivalRow[];
  duplicates: [string, string][];
} {
  const fresh: ArrivalRow[] = [];
  const duplicates: [string, string][] = [];
  const single = new Map<string, ArrivalRow>();
  for (const row of rows) {
    const key = `${row.address.receiveSlotId} ${row.fingerprint.toString('hex')}`;
    const earlier = single.get(key);
    // With a long backlog, messages of one batch may have been received far apart.
    const first = earlier && isWithinWindow(earlier, row) ? earlier : undefined;
    if (first && (row.deliveryKey !== undefined || first.address.endpoint !== row.address.endpoint)) {
      duplicates.push([row.messageId, first.messageId]);
      if (row.deliveryKey === undefined) single.delete(key);
      continue;
    }
    if (!first) single.set(key, row);
    fresh.push(row);
  }
  return { fresh, duplicates };
}

function isWithinWindow(first: ArrivalRow, { receivedAt, deliveryKey }: ArrivalRow): boolean {
  const window = deliveryKey === undefined ? bodyDuplicateWindowMs : keyDuplicateWindowMs;
  return Date.parse(receivedAt) - Date.parse(first.receivedAt) < window;
}

function resolveOriginal(id: string, originals: Map<string, string>): string {
  let found = id;
  while (originals.has(found)) found = originals.get(found)!;
  return found;
}
