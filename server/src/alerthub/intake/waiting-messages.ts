// Finds acknowledged messages that a program without journal would leave behind.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Queryable } from '../../db/database.ts';
import { dataFolderParts } from '../../db/pglite/data-folder.ts';
import { readJournalId, unnamedJournalId } from '../../journal/journal-folder.ts';
import { JournalReader } from '../../journal/journal-reader.ts';
import { readStoredUpTo } from './intake-journal.ts';

/** The folder of the intake journal. */
export const intakeFolder = (dataFolder: string) => join(resolve(dataFolder), dataFolderParts.journal);

/**
 * Whether messages of the journal in this folder wait for the database. Those of a journal that the database does not
 * know belong to another database, or to one that was restored; they count with `unknown`.
 */
export async function hasWaitingMessages(
  database: Queryable,
  folder: string,
  { unknown }: { unknown: boolean },
): Promise<boolean> {
  if (!existsSync(folder)) return false;
  const journalId = await readJournalId(folder);
  const upTo = await readStoredUpTo(database, journalId);
  if (!unknown && (upTo === undefined || journalId === unnamedJournalId)) return false;
  const reader = new JournalReader(folder, 0);
  try {
    await reader.seek(upTo ?? 0);
    const { entries } = await reader.read(Number.MAX_SAFE_INTEGER, { items: 1, bytes: 1 });
    return entries.length > 0;
  } finally {
    await reader.close();
  }
}
