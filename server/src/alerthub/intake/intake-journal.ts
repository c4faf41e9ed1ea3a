// The journal position up to which the database has taken messages over.
import type { Queryable } from '../../db/database.ts';

/** Journal position up to which the database has everything. */
export async function readJournalMark(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ place: string }>('select place from intake_mark');
  return Number(rows[0]!.place);
}

/** Advances the mark: entries up to this position are never stored again. */
export async function advanceJournalMark(database: Queryable, sequence: number): Promise<void> {
  await database.query('update intake_mark set place = greatest(place, $1::bigint)', [sequence]);
}
