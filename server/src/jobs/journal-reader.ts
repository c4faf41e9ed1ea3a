// Reads a journal while it is written: its entries in order, from its files, so that what waits takes no memory.
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { dataName } from './journal-folder.ts';
import { EntryFinder, headerSize, type JournalEntry } from './journal-format.ts';

export interface ReadLimits {
  /** Entries, and bytes of entries; the first is given whatever its size. */
  items: number;
  bytes: number;
}

/** Bytes that are read at once: for so many an entry, within these bounds, and of a larger entry all. */
const perEntry = 2048;
const leastChunk = 8 << 10;
const maxChunk = 256 << 10;

interface OpenFile {
  name: string;
  handle: FileHandle;
  finder: EntryFinder;
  /** Where the next entry stands. */
  offset: number;
}

/** For the process that has the journal open: its files hold all that it was opened with, and what was added. */
export class JournalReader {
  private readonly folder: string;
  private readonly log: Log;
  private file: OpenFile | undefined;
  private last: number;

  /** Begins behind the entry of the place `after`. */
  constructor(folder: string, after: number, log: Log) {
    this.folder = folder;
    this.last = after;
    this.log = log;
  }

  /**
   * The next entries up to and with the place `upTo`, all of which are on disk. Fewer than the limits only when the
   * files hold no more. Throws what the file system throws; the same entries are given by the next call then.
   */
  async read(upTo: number, limits: ReadLimits): Promise<JournalEntry[]> {
    const entries: JournalEntry[] = [];
    const begun = this.last;
    let left = limits.bytes;
    let needed = 0;
    try {
      while (this.last < upTo && entries.length < limits.items && left > 0) {
        const file = this.file ?? (await this.openNext(''));
        if (!file) break;
        const usual = Math.min((upTo - this.last) * perEntry, maxChunk);
        const wanted = Math.max(usual, leastChunk, needed);
        const chunk = await readChunk(file, wanted);
        const found = this.take(file, chunk, upTo, { items: limits.items - entries.length, bytes: left });
        entries.push(...found.entries);
        for (const { bytes } of found.entries) left -= bytes.length;
        file.offset += found.end;
        needed = found.needs;
        if (found.end > 0 || (needed > chunk.length && chunk.length === wanted)) continue;
        if (!(await this.openNext(file.name))) break;
      }
    } catch (error) {
      await this.moveTo(begun);
      throw error;
    }
    return entries;
  }

  /** Goes on behind the entry of this place. */
  async moveTo(place: number): Promise<void> {
    this.last = place;
    await this.close();
  }

  async close(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    await file?.handle.close().catch(() => undefined);
  }

  /** The entries of a chunk; `end` is where the first byte stands that was not taken, `needs` what an entry there has. */
  private take(file: OpenFile, chunk: Buffer, upTo: number, { items, bytes }: ReadLimits) {
    const { finder, offset } = file;
    const entries: JournalEntry[] = [];
    let end = 0;
    let needs = 0;
    let size = 0;
    while (this.last < upTo && entries.length < items && size < bytes) {
      const found = finder.entryAt(chunk, end, offset);
      if (found && 'needs' in found) {
        needs = found.needs;
        break;
      }
      if (!found) {
        // Zeros are room for what comes; entries behind anything else are found again.
        const next = finder.next(chunk, end);
        if (next < 0) break;
        const message = `${next - end} bytes of the journal file ${file.name} are damaged`;
        this.log({ level: 'error', message });
        end = next;
        continue;
      }
      end = found.end;
      if (found.place <= this.last) continue;
      this.last = found.place;
      entries.push({ place: found.place, bytes: found.bytes });
      size += found.bytes.length;
    }
    return { entries, end, needs };
  }

  /** Goes to the file behind this one; undefined when there is none. */
  private async openNext(name: string): Promise<OpenFile | undefined> {
    const names = (await readdir(this.folder)).filter((one) => one > name).sort();
    for (const next of names) {
      const salt = dataName(next)?.salt;
      if (!salt) continue;
      try {
        const handle = await open(join(this.folder, next), 'r');
        await this.close();
        this.file = { name: next, handle, finder: new EntryFinder(salt), offset: headerSize };
        return this.file;
      } catch (error) {
        // Gone since it was listed: all in it was taken over.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    return undefined;
  }
}

async function readChunk({ handle, offset }: OpenFile, size: number): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await handle.read(chunk, length, size - length, offset + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return chunk.subarray(0, length);
}
