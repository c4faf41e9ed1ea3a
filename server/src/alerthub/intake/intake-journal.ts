// The journal positions up to which the database has taken messages over, one for each journal.
import { type Clock, isoTime } from '../../common/clock.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { OutdatedBatch } from '../../jobs/poison-row-guard.ts';
import type { JournalIds } from '../../journal/journal.ts';

/** Days for which the position of a journal is kept after another process has taken it over. */
const endedJournalDays = 400;

/** Another process has taken the journal over in the database; this one stores nothing more from it. */
export class JournalEnded extends OutdatedBatch {
  override readonly name = 'JournalEnded';
}

/**
 * Makes this process the only one that stores messages of the journal it has claimed, and returns the position up
 * to which the database has its entries. A statement of the previous process either comes before, and counts, or
 * stores nothing.
 */
export async function claimJournal(
  database: Database,
  { id, previousId }: JournalIds,
  clock: Pick<Clock, 'now'>,
): Promise<number> {
  const now = isoTime(clock.now());
  return database.transaction(async (tx) => {
    const previous = await tx.query<{ stored_up_to: string }>(
      `update intake_journal set ended_at = coalesce(ended_at, $2::timestamptz) where journal_id = $1::uuid
       returning stored_up_to`,
      [previousId, now],
    );
    // Of a journal that the database does not know, every entry is offered; those that are stored are skipped.
    const storedUpTo = previous.rows[0]?.stored_up_to ?? '0';
    await tx.query('insert into intake_journal (journal_id, stored_up_to, opened_at) values ($1, $2, $3)', [
      ...[id, storedUpTo, now],
    ]);
    await tx.query(
      `delete from intake_journal where ended_at < $1::timestamptz - interval '${endedJournalDays} days'`,
      [now],
    );
    return Number(storedUpTo);
  });
}

/** Position up to which the database has the entries of a journal, whoever stored them. */
export async function readStoredUpTo(
  database: Queryable,
  journalId: string | null,
): Promise<number | undefined> {
  const { rows } = await database.query<{ stored_up_to: string }>(
    'select stored_up_to from intake_journal where journal_id = $1::uuid',
    [journalId],
  );
  return rows[0] && Number(rows[0].stored_up_to);
}

/** The same for the journal of this process; throws JournalEnded. */
export async function readJournalMark(database: Queryable, journalId: string): Promise<number> {
  const { rows } = await database.query<{ stored_up_to: string }>(
    'select stored_up_to from intake_journal where journal_id = $1 and ended_at is null',
    [journalId],
  );
  if (!rows[0]) throw journalEnded();
  return Number(rows[0].stored_up_to);
}

/** Advances the mark: entries up to this position are never stored again. Throws JournalEnded. */
export async function advanceJournalMark(
  database: Queryable,
  journalId: string,
  sequence: number,
): Promise<void> {
  const { rows } = await database.query(
    `update intake_journal set stored_up_to = greatest(stored_up_to, $2::bigint)
     where journal_id = $1 and ended_at is null returning 1`,
    [journalId, sequence],
  );
  if (rows.length === 0) throw journalEnded();
}

/** Ids of those messages that are stored, whatever the position says. */
export async function readStoredIds(
  database: Queryable,
  messageIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await database.query<{ id: string }>(
    'select message_id as id from message where message_id = any($1::uuid[])',
    [messageIds],
  );
  return new Set(rows.map(({ id }) => id));
}

const journalEnded = () =>
  new JournalEnded(
    'Another server has taken over the intake journal in the database, from the same data folder or a copy of it.',
  );
