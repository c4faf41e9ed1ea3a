// Stores messages of the journal, except those that repeat earlier ones.
import type { ArrivalRow } from '../arrivals/arrival.ts';
import type { IntakeDeps } from './intake-deps.ts';
import { advanceJournalMark } from './intake-journal.ts';
import { recordDuplicates } from './recent-arrivals.ts';
import { type StoredMessage, storeArrivals } from './store-arrivals.ts';

/**
 * Returns the messages still to be evaluated. One statement, except for the rare batch with a duplicate,
 * which is not stored again; a message has at most one duplicate. `originalOf` returns the id of the message that a
 * row duplicates.
 */
export async function writeJournalRows(
  { database, storeAndDecide }: Pick<IntakeDeps, 'database' | 'storeAndDecide'>,
  rows: readonly ArrivalRow[],
  originalOf: (row: ArrivalRow) => string | undefined,
): Promise<StoredMessage[]> {
  const repeats = rows.filter((row) => originalOf(row) !== undefined);
  if (repeats.length === 0) {
    if (await storeAndDecide?.(rows)) return [];
    return (await storeArrivals(database, rows)).stored;
  }
  const others = rows.filter((row) => originalOf(row) === undefined);
  return database.transaction(async (tx) => {
    await recordDuplicates(
      tx,
      repeats.map((row) => ({ row, original: originalOf(row)! })),
    );
    const { stored } = others.length > 0 ? await storeArrivals(tx, others) : { stored: [] };
    const { journalId, sequence } = rows.at(-1)!.journalEntry!;
    await advanceJournalMark(tx, journalId, sequence);
    return stored;
  });
}
