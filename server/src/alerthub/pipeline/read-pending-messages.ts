// Reads the messages at the head of the queue: from memory if it holds all of them, otherwise from the
// database.
import type { ReceivedMessage } from '@yagura/core/alerthub/engine/data/flow-data';
import type { Database, Queryable } from '../../db/database.ts';
import type { ArrivalRow as Arrived } from '../arrivals/arrival.ts';
import type { StoredMessage } from '../intake/store-arrivals.ts';
import { type MessageRow, messageColumns, toMessage } from '../messages/message-row.ts';
import type { PendingBuffer } from './pending-buffer.ts';

/** A waiting message as it is stored. */
export interface PendingRow extends MessageRow {
  seq: string;
  space_id: string;
  message_id: string;
  /** Size in bytes. */
  weight: number;
}

/** Bytes of messages from which on a batch takes no other: rules read a whole batch without a pause of the thread. */
const batchBytes = 2 << 20;

/**
 * One plan serves all batches of a size and looks up each message by key: planning each batch would cost more
 * than running it, and a plan made while the table is small would join the whole table later.
 */
const readNextStatement = (size: number) => ({
  name: `take-${size}-messages`,
  text: `
    select p.seq::text as seq, m.*
    from (
      select q.seq, q.message_id, sum(q.size) over (order by q.seq) - q.size as before
      from (
        select w.seq, w.message_id, (select s.size from message s where s.message_id = w.message_id) as size
        from message_pending w order by w.seq limit ${size}
      ) q
    ) p cross join lateral (
      select m.space_id, m.size as weight, ${messageColumns}
      from message m where m.message_id = p.message_id offset 0
    ) m
    where p.before < ${batchBytes}
    order by p.seq`,
});

/** Returns the first waiting messages, at most `size`; `isAll` means that no others are waiting. */
export async function readPendingMessages(
  db: Queryable,
  databaseKind: Database['kind'],
  pending: PendingBuffer<PendingRow>,
  size: number,
): Promise<{ rows: PendingRow[]; isAll: boolean }> {
  if (pending.isComplete) {
    const rows = pending.peek(size, batchBytes);
    return { rows, isAll: rows.length === pending.length };
  }
  const completed = pending.beginRead();
  const { rows } = await db.query<PendingRow>(readNextStatement(size));
  const bytes = rows.reduce((sum, row) => sum + row.weight, 0);
  const isAll = rows.length < size && bytes < batchBytes;
  // With several spaces, only the first is evaluated now; the others are read again.
  const isOneSpace = rows.every((row) => row.space_id === rows[0]!.space_id);
  if (isAll && isOneSpace && databaseKind === 'embedded') completed();
  return { rows, isAll };
}

/** The row of a message that this process has just stored. */
export function toPendingRow(stored: StoredMessage): PendingRow {
  return {
    ...toMessageRow(stored),
    seq: stored.seq,
    space_id: stored.address.spaceId,
    weight: stored.body.length,
  };
}

/** The message of an arrival that is not stored yet, as it would be read back. */
export function toReceivedMessage(arrived: Arrived): ReceivedMessage {
  return toMessage(toMessageRow(arrived));
}

function toMessageRow(row: Arrived): MessageRow & { message_id: string } {
  return {
    message_id: row.messageId,
    receive_slot_id: row.address.receiveSlotId,
    receive_slot_kind: row.address.kind,
    received_at: row.receivedAt,
    request_url: row.requestUrl,
    headers: row.headers,
    mail: row.mail ?? null,
    body: row.mail ? Buffer.alloc(0) : row.body,
  };
}
