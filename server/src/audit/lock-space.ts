/** The lock of a space, by which transactions of one kind run one after the other. */
import type { Queryable } from '../db/database.ts';

/**
 * Waits until no other transaction holds the lock, and holds it until the end of this one.
 *
 * Rows that refer to the space, such as audit records, can be inserted meanwhile. A lock "for update" would make them
 * wait, and a transaction that has locked the audit chain and inserts its record would wait for one that holds the space
 * and wants the chain: a deadlock, of which PostgreSQL cancels one.
 */
export async function lockSpace(tx: Queryable, spaceId: string): Promise<void> {
  await tx.query('select 1 from space where space_id = $1 for no key update', [spaceId]);
}
