// Stores large bodies in parts before their messages: the embedded engine runs one statement at a time, and one with
// a whole body of many megabytes would keep all others waiting.
import type { Database, Queryable } from '../../db/database.ts';
import type { ArrivalRow } from '../arrivals/arrival.ts';

/** Maximum bytes of a body that one statement stores. */
const partSize = 512 * 1024;

/**
 * Stores what the row of a message does not hold, one statement each, and returns the rows with how much that is.
 * PostgreSQL has other connections, so that bodies stay whole. Parts that exist are from an earlier attempt.
 */
export async function storeBodyParts(
  database: Pick<Database, 'kind' | 'query'>,
  rows: readonly ArrivalRow[],
): Promise<readonly ArrivalRow[]> {
  if (database.kind !== 'embedded' || rows.every(({ body }) => body.length <= partSize)) return rows;
  const stored: ArrivalRow[] = [];
  for (const row of rows) {
    const { messageId, address, body } = row;
    for (let start = partSize; start < body.length; start += partSize) {
      await database.query(
        {
          name: 'store-body-part',
          text: `insert into message_body_part (message_id, start, space_id, bytes)
                 values ($1::uuid, $2::int, $3::uuid, $4::bytea) on conflict do nothing`,
        },
        [messageId, start, address.spaceId, body.subarray(start, start + partSize)],
      );
    }
    stored.push(body.length > partSize ? { ...row, inlineBytes: partSize } : row);
  }
  return stored;
}

/** Deletes parts of messages that were not stored after all. */
export async function deleteBodyParts(database: Queryable, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return;
  await database.query('delete from message_body_part where message_id = any($1::uuid[])', [messageIds]);
}
