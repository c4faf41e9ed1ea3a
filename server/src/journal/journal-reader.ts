// Reads entries in order from the files of a journal that is being written, so that the backlog takes no
// memory.
import { readSync } from 'node:fs';
import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from './disk.ts';
import { parseDataFileName } from './journal-folder.ts';
import { EntryFinder, headerSize, type JournalEntry, readEntries, type Salt } from './journal-format.ts';

export interface JournalReadLimits {
  /** Maximum entries, and bytes of entries; the first is returned whatever its size. */
  items: number;
  bytes: number;
}

export interface ReadEntries {
  entries: JournalEntry[];
  /**
   * Names of files to keep: the positions before these entries, or all up to `upTo`, are missing in them.
   */
  damaged: string[];
}

/** Bytes read at a time: this many per entry, within these bounds; a larger entry is read completely. */
const bytesPerEntry = 2048;
const minChunkBytes = 8 << 10;
const maxChunkBytes = 256 << 10;

interface OpenJournalFile {
  name: string;
  handle: FileHandle;
  finder: EntryFinder;
  /** Offset of the next entry. */
  offset: number;
}

/**
 * For the process that has the journal open: its files contain the entries found on opening and those
 * appended since.
 */
export class JournalReader {
  private readonly folder: string;
  private file: OpenJournalFile | undefined;
  private lastSequence: number;

  /** Starts after the entry at position `after`. */
  constructor(folder: string, after: number) {
    this.folder = folder;
    this.lastSequence = after;
  }

  /**
   * Returns the next entries up to and including position `upTo`, all of which are on disk; empty only if the
   * files contain none of them. Throws file system errors; the next call then returns the same entries.
   */
  async read(upTo: number, limits: JournalReadLimits): Promise<ReadEntries> {
    const begun = this.lastSequence;
    try {
      const entries = await this.readOn(upTo, limits);
      return entries.length > 0 || begun >= upTo ? { entries, damaged: [] } : await this.search(upTo, limits);
    } catch (error) {
      await this.seek(begun);
      throw error;
    }
  }

  /** Reads consecutive entries from where the last read ended. */
  private async readOn(upTo: number, limits: JournalReadLimits): Promise<JournalEntry[]> {
    const entries: JournalEntry[] = [];
    let left = limits.bytes;
    let needed = 0;
    while (this.lastSequence < upTo && entries.length < limits.items && left > 0) {
      const file = this.file ?? (await this.openNext(''));
      if (!file) break;
      const usual = Math.min((upTo - this.lastSequence) * bytesPerEntry, maxChunkBytes);
      const wanted = Math.max(usual, minChunkBytes, needed);
      const chunk = await readChunk(file, wanted);
      const found = this.parseChunk(file, chunk, upTo, { items: limits.items - entries.length, bytes: left });
      entries.push(...found.entries);
      for (const { bytes } of found.entries) left -= bytes.length;
      file.offset += found.end;
      needed = found.needs;
      if (found.isGap) break;
      if (found.end > 0 || (needed > chunk.length && chunk.length === wanted)) continue;
      if (!(await this.openNext(file.name))) break;
    }
    return entries;
  }

  /**
   * Reads whole files, as on startup, if the next position is not where it is expected: its write failed, or
   * the file is damaged. Continues after the entries it returns.
   */
  private async search(upTo: number, limits: JournalReadLimits): Promise<ReadEntries> {
    const files = await this.dataFiles();
    const begin = files.findLastIndex(({ firstSequence }) => firstSequence <= this.lastSequence + 1);
    const damaged: string[] = [];
    const searched: string[] = [];
    for (const { name, salt, firstSequence } of files.slice(Math.max(begin, 0))) {
      if (firstSequence > upTo) break;
      const content = await ignoreMissing(readFile(join(this.folder, name)));
      if (!content) continue;
      searched.push(name);
      const { entries, damagedBytes } = readEntries(content, salt);
      if (damagedBytes > 0) damaged.push(name);
      const next = entries.filter((entry) => entry.sequence > this.lastSequence && entry.sequence <= upTo);
      if (next.length === 0) continue;
      const isHole = next[0]!.sequence > this.lastSequence + 1;
      const given = within(next, limits);
      await this.seek(given.at(-1)!.sequence);
      return { entries: given, damaged: isHole ? damaged : [] };
    }
    return { entries: [], damaged: searched };
  }

  /** Continues after the entry at this position. */
  async seek(sequence: number): Promise<void> {
    this.lastSequence = sequence;
    await this.close();
  }

  async close(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    await file?.handle.close().catch(() => undefined);
  }

  /**
   * Returns the entries of a chunk; `end` is the offset of the first byte not consumed, `needs` the size of
   * the entry there.
   */
  private parseChunk(
    file: OpenJournalFile,
    chunk: Buffer,
    upTo: number,
    { items, bytes }: JournalReadLimits,
  ) {
    const { finder, offset } = file;
    const entries: JournalEntry[] = [];
    let end = 0;
    let needs = 0;
    let size = 0;
    let isGap = false;
    while (this.lastSequence < upTo && entries.length < items && size < bytes) {
      const found = finder.readEntry(chunk, end, offset);
      if (found && 'needs' in found) {
        needs = found.needs;
        break;
      }
      if (!found) {
        // Zeros are preallocated space; after anything else, search for the next entry.
        const next = finder.findNext(chunk, end);
        if (next < 0) break;
        end = next;
        continue;
      }
      isGap = found.sequence > this.lastSequence + 1;
      if (isGap) break;
      end = found.end;
      if (found.sequence <= this.lastSequence) continue;
      this.lastSequence = found.sequence;
      entries.push({ sequence: found.sequence, bytes: found.bytes });
      size += found.bytes.length;
    }
    return { entries, end, needs, isGap };
  }

  /** Opens the file after this one; undefined if there is none. */
  private async openNext(after: string): Promise<OpenJournalFile | undefined> {
    for (const { name, salt } of await this.dataFiles()) {
      if (name <= after) continue;
      const handle = await ignoreMissing(open(join(this.folder, name), 'r'));
      if (!handle) continue;
      await this.close();
      this.file = { name, handle, finder: new EntryFinder(salt), offset: headerSize };
      return this.file;
    }
    return undefined;
  }

  /** Files in order, each with the first position it may contain. */
  private async dataFiles(): Promise<{ name: string; salt: Salt; firstSequence: number }[]> {
    const names = (await readdir(this.folder)).sort();
    return names.flatMap((name) => {
      const { salt, firstSequence } = parseDataFileName(name) ?? {};
      return salt && firstSequence !== undefined ? [{ name, salt, firstSequence }] : [];
    });
  }
}

/** Returns as many entries from the start as the limits allow. */
function within(entries: readonly JournalEntry[], { items, bytes }: JournalReadLimits): JournalEntry[] {
  const given: JournalEntry[] = [];
  let left = bytes;
  for (const entry of entries) {
    if (given.length === items || left <= 0) break;
    given.push(entry);
    left -= entry.bytes.length;
  }
  return given;
}

async function readChunk({ handle, offset }: OpenJournalFile, size: number): Promise<Buffer> {
  // A few entries at the end were written just now and are still in the system's memory: the thread pool would take ten
  // times as long as this call.
  const isCached = size === minChunkBytes;
  const chunk = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const rest = [chunk, length, size - length, offset + length] as const;
    const bytesRead = isCached ? readSync(handle.fd, ...rest) : (await handle.read(...rest)).bytesRead;
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return chunk.subarray(0, length);
}
