// Stores messages of the journal, except those that repeat earlier ones.
import type { ArrivalRow } from '../arrivals/arrival.ts';
import { deleteBodyParts, storeBodyParts } from './body-parts.ts';
import type { IntakeDeps } from './intake-deps.ts';
import { advanceJournalMark } from './intake-journal.ts';
import { recordDuplicates } from './recent-arrivals.ts';
import { type StoredMessage, storeArrivals } from './store-arrivals.ts';

interface JournalContext {
  /** Id of the message that a row duplicates. */
  originalOf(row: ArrivalRow): string | undefined;
  /** The rows that are to be stored next. */
  upcoming(): readonly ArrivalRow[] | undefined;
}

/**
 * Returns the messages still to be evaluated. One statement, except for large bodies and the rare batch with a
 * duplicate, which is not stored again; a message has at most one duplicate.
 */
export async function writeJournalRows(
  { database, storeAndDecide }: Pick<IntakeDeps, 'database' | 'storeAndDecide'>,
  rows: readonly ArrivalRow[],
  { originalOf, upcoming }: JournalContext,
): Promise<StoredMessage[]> {
  const repeats = rows.filter((row) => originalOf(row) !== undefined);
  const others = await storeBodyParts(
    database,
    rows.filter((row) => originalOf(row) === undefined),
  );
  if (repeats.length === 0) {
    if (await storeAndDecide?.(others, upcoming)) return [];
    const { stored } = await storeArrivals(database, others);
    await deleteLeftParts(database, others, stored);
    return stored;
  }
  const stored = await database.transaction(async (tx) => {
    await recordDuplicates(
      tx,
      repeats.map((row) => ({ row, original: originalOf(row)! })),
    );
    const { stored } = others.length > 0 ? await storeArrivals(tx, others) : { stored: [] };
    const { journalId, sequence } = rows.at(-1)!.journalEntry!;
    await advanceJournalMark(tx, journalId, sequence);
    return stored;
  });
  await deleteLeftParts(database, others, stored);
  return stored;
}

/** Those of rows that the database knew to be duplicates. */
function deleteLeftParts(
  database: IntakeDeps['database'],
  rows: readonly ArrivalRow[],
  stored: readonly StoredMessage[],
): Promise<void> {
  const kept = new Set(stored.map(({ messageId }) => messageId));
  const left = rows.filter(({ messageId, inlineBytes }) => inlineBytes !== undefined && !kept.has(messageId));
  return deleteBodyParts(
    database,
    left.map(({ messageId }) => messageId),
  );
}
