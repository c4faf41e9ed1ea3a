// Reads the files that the intake journal keeps for people: messages that the store refused, and damaged files.
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readJournalFile } from '../../journal/journal-folder.ts';
import { decodeRow } from './intake-journal.ts';
import type { ArrivalRow } from './store-arrivals.ts';

export interface LeftoverFile {
  name: string;
  kind: 'refused' | 'damaged';
  /** When the file was written last. */
  writtenAt: string;
  messages: ArrivalRow[];
  /** Bytes that belong to no whole message. */
  damagedBytes: number;
}

const kindOf = (name: string) =>
  /^\d[0-9a-f.-]*\.(refused|damaged)$/.exec(name)?.[1] as LeftoverFile['kind'] | undefined;

/** Names in the order in which they were written; none when there is no journal. */
export async function listLeftovers(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => kindOf(name) !== undefined).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Undefined when there is no file of this name, or it is none of those that are kept. */
export async function readLeftover(folder: string, name: string): Promise<LeftoverFile | undefined> {
  const kind = kindOf(name);
  if (kind === undefined || basename(name) !== name) return undefined;
  const path = join(folder, name);
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!bytes) return undefined;
  const writtenAt = (await stat(path)).mtime.toISOString();
  if (kind === 'refused') {
    const row = rowOf(bytes);
    return { name, kind, writtenAt, messages: row ? [row] : [], damagedBytes: row ? 0 : bytes.length };
  }
  const { entries, damagedBytes } = readJournalFile(name, bytes);
  return {
    name,
    kind,
    writtenAt,
    messages: entries.flatMap((entry) => rowOf(entry.bytes) ?? []),
    damagedBytes,
  };
}

/** Undefined for bytes that are no message. */
function rowOf(bytes: Buffer): ArrivalRow | undefined {
  try {
    const row = decodeRow(bytes);
    return typeof row.messageId === 'string' && typeof row.address?.receiveSlotId === 'string'
      ? row
      : undefined;
  } catch {
    return undefined;
  }
}
