// Reads the bytes of stored messages in chunks, so that a large message does not block the database or the
// event loop for long.
import { SerialQueue } from '../../common/serial-queue.ts';
import { FairLimiter } from '../../common/spaces/fair-limiter.ts';
import { TranslatableProblem } from '../../common/translatable-problem.ts';
import { translatable } from '../../common/translatable-text.ts';
import type { Queryable } from '../../db/database.ts';

/** Maximum bytes of a chunk. */
const chunkSize = 1024 * 1024;
/** From position $3 on; what the row of the message does not hold is in parts. */
const readChunkStatement = {
  name: 'read-message-chunk',
  text: `select coalesce(nullif(substring(m.body from $3::int + 1 for ${chunkSize}), ''), (
           select substring(b.bytes from $3::int - b.start + 1) from message_body_part b
           where b.message_id = m.message_id and b.start <= $3::int order by b.start desc limit 1
         )) as piece
         from message m where m.space_id = $1 and m.message_id = $2`,
};
/** Maximum large messages held in memory at the same time, and those held or waited for, which spaces share. */
const limits = { maxRunning: 2, max: 100 };

export interface MessageSize {
  isMail: boolean;
  size: number;
}

/** Chunks are fetched one at a time, however many messages are being read, so that other queries run in between. */
const queues = new WeakMap<Queryable, SerialQueue>();

function queueOf(db: Queryable): SerialQueue {
  const known = queues.get(db);
  if (known) return known;
  const queue = new SerialQueue();
  queues.set(db, queue);
  return queue;
}

/** Returns the size of a message and whether it is a mail; undefined if it does not exist. */
export async function findMessageSize(
  db: Queryable,
  spaceId: string,
  messageId: string,
): Promise<MessageSize | undefined> {
  const { rows } = await db.query<{ size: number; is_mail: boolean }>(
    'select size, mail is not null as is_mail from message where space_id = $1 and message_id = $2',
    [spaceId, messageId],
  );
  return rows[0] && { size: rows[0].size, isMail: rows[0].is_mail };
}

/** Yields the chunks of a message in order; ends early if retention removes it meanwhile. */
export async function* readMessageChunks(
  db: Queryable,
  spaceId: string,
  messageId: string,
  size: number,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const { rows } = await queueOf(db).run(() =>
      db.query<{ piece: Buffer | null }>(readChunkStatement, [spaceId, messageId, at]),
    );
    const piece = rows[0]?.piece;
    if (!piece || piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}

/** Returns all bytes of a message. Throws a 404 if it is removed meanwhile. */
export async function readMessageBytes(
  db: Queryable,
  spaceId: string,
  messageId: string,
  size: number,
): Promise<Buffer> {
  const whole = Buffer.alloc(size);
  let at = 0;
  for await (const piece of readMessageChunks(db, spaceId, messageId, size)) at += piece.copy(whole, at);
  if (at < size) throw new TranslatableProblem('not-found', translatable('refusal.message-removed'));
  return whole;
}

/** Limits how many large messages are held in memory at a time; the spaces of waiting callers take turns. */
export class LargeMessageLimiter {
  private readonly limiter = new FairLimiter(limits);

  async run<T>(space: string, work: () => Promise<T>): Promise<T> {
    if (!this.limiter.hasPlace(space))
      throw new TranslatableProblem('unavailable', translatable('refusal.large-messages'), {
        retryAfter: 5,
      });
    return this.limiter.run(space, work);
  }
}
