// Reads the files that the intake journal keeps for operators: rejected messages and damaged files.
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ignoreMissing } from '../../journal/disk.ts';
import { readJournalFile } from '../../journal/journal-folder.ts';
import type { ArrivalRow } from '../arrivals/arrival.ts';
import { decodeRow } from '../arrivals/journal-entry.ts';

export interface LeftoverFile {
  name: string;
  kind: 'refused' | 'damaged';
  /** Time of the last write. */
  writtenAt: string;
  messages: ArrivalRow[];
  /** Bytes that are not part of a complete message. */
  damagedBytes: number;
}

const kindOf = (name: string) =>
  /^\d[0-9a-f.-]*\.(refused|damaged)$/.exec(name)?.[1] as LeftoverFile['kind'] | undefined;

/** File names in the order they were written; empty if there is no journal. */
export async function listLeftovers(folder: string): Promise<string[]> {
  const names = (await ignoreMissing(readdir(folder))) ?? [];
  return names.filter((name) => kindOf(name) !== undefined).sort();
}

/** Returns undefined if the file does not exist or is not one of the kept files. */
export async function readLeftover(folder: string, name: string): Promise<LeftoverFile | undefined> {
  const kind = kindOf(name);
  if (kind === undefined || basename(name) !== name) return undefined;
  const path = join(folder, name);
  const bytes = await ignoreMissing(readFile(path));
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

/** Returns undefined if the bytes are not a message. */
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
