// Keeps what cannot be stored for an operator to inspect, and says so in the log.
import { errorFields } from '../../common/log.ts';
import type { JournalWriter } from '../../receiver/intake-journal-writer.ts';
import { deleteBodyParts } from './body-parts.ts';
import type { IntakeDeps } from './intake-deps.ts';

interface FaultyEntry {
  sequence: number;
  bytes: Buffer;
  /** Absent if it cannot be read. */
  messageId?: string | undefined;
}

/** Sets aside a message that was acknowledged but cannot be stored. */
export async function setEntryAside(
  { database, log }: Pick<IntakeDeps, 'database' | 'log'>,
  journal: JournalWriter,
  { sequence, bytes, messageId }: FaultyEntry,
  error: unknown,
): Promise<void> {
  const file = await journal.setAside(sequence, bytes);
  const message = `a message could not be stored; it is kept in the data folder as ${file}`;
  log({ level: 'error', message, messageId, ...errorFields(error) });
  if (messageId !== undefined) await deleteBodyParts(database, [messageId]);
}

/** Keeps damaged files; must run before any of them can be released. */
export async function keepDamaged(
  { log }: Pick<IntakeDeps, 'log'>,
  journal: JournalWriter,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const kept = await journal.keepDamaged(names);
  const message = `the intake journal is damaged: messages may be missing; kept as ${kept.join(', ')}`;
  if (kept.length > 0) log({ level: 'error', message });
}
