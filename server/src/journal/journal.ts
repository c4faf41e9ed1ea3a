// Write-ahead journal: entries are acknowledged once they are on disk, and kept until they have been taken
// over elsewhere.

import type { Log } from '../common/log.ts';
import { SerialQueue } from '../common/serial-queue.ts';
import { type Disk, type DiskFile, nodeDisk, writeAll } from './disk.ts';
import { JournalFolder, type JournalIds } from './journal-folder.ts';
import { createHeader, EntryWriter, type JournalEntry, type Salt } from './journal-format.ts';

export { type JournalIds, JournalTakenOver } from './journal-folder.ts';
export type { JournalEntry } from './journal-format.ts';

/** Default size in bytes after which a new file is started. */
const defaultFileBytes = 32 << 20;
/**
 * Bytes of zeros by which files grow: a write within the existing size needs no file system journal entry,
 * which would have to wait behind those of the database.
 */
const defaultGrowthBytes = 256 << 10;
const zeros = Buffer.alloc(defaultGrowthBytes);
/** Bytes up to which a write is concatenated before it is passed to the system. */
const maxConcatBytes = 1 << 20;
/** Bytes per write while entries of an earlier process are copied. */
const copyBatchBytes = 4 << 20;

export interface JournalOptions {
  log: Log;
  /** Size in bytes after which a new file is started. */
  fileSize?: number;
  /** The file system; the real one if absent. */
  disk?: Disk;
}

/** A folder that this process has taken over and not read yet. */
export interface ClaimedJournal {
  ids: JournalIds;
  /** Opens the journal and copies the entries after `after`. Throws file system errors. */
  open(after: number): Promise<OpenedJournal>;
  /** For a journal that is not opened. */
  close(): Promise<void>;
}

export interface OpenedJournal {
  journal: Journal;
  /** The entries after `after` that were not released, in order. */
  entries: JournalEntry[];
}

interface JournalFile {
  name: string;
  salt: Salt;
  writer: EntryWriter;
  /** Position of its last entry. */
  lastSequence: number;
  /** Bytes of its entries, and including the zeros after them. */
  size: number;
  allocatedBytes: number;
}

/**
 * One process at a time has a folder open: opening takes it over, and the previous process's appends are
 * rejected unless the next process has read what they wrote.
 */
export class Journal {
  private readonly folder: JournalFolder;
  private readonly fileSize: number;
  private nextSequence: number;
  private files: JournalFile[] = [];
  /** The last file, while it is being written. */
  private current: DiskFile | undefined;
  private readonly queue = new SerialQueue();

  private constructor(journalFolder: JournalFolder, next: number, fileSize: number) {
    this.folder = journalFolder;
    this.nextSequence = next;
    this.fileSize = fileSize;
  }

  /** Takes the folder over: from here on no other process can acknowledge its writes. Throws file system errors. */
  static async claim(
    folder: string,
    { log, fileSize = defaultFileBytes, disk = nodeDisk }: JournalOptions,
  ): Promise<ClaimedJournal> {
    const journalFolder = await JournalFolder.claim(disk, folder);
    try {
      const ids = { id: journalFolder.id, previousId: await journalFolder.previousId() };
      return {
        ids,
        open: (after) => Journal.openClaimed(journalFolder, after, { log, fileSize }),
        close: () => journalFolder.close(),
      };
    } catch (error) {
      await journalFolder.close().catch(() => undefined);
      throw error;
    }
  }

  private static async openClaimed(
    journalFolder: JournalFolder,
    after: number,
    { log, fileSize }: { log: Log; fileSize: number },
  ): Promise<OpenedJournal> {
    const journal = new Journal(journalFolder, after + 1, fileSize);
    try {
      const left = await journalFolder.read(log);
      const entries = left.entries.filter((entry) => entry.sequence > after);
      journal.nextSequence = Math.max(journal.nextSequence, left.lastSequence + 1);
      await journal.copyEntries(entries);
      await journalFolder.commit(left.damagedFiles);
      return { journal, entries };
    } catch (error) {
      await journal.close().catch(() => undefined);
      throw error;
    }
  }

  /**
   * Resolves with the positions of the entries once all are on disk, where this process or its successor
   * finds them. After a failure none of them counts as written; throws JournalTakenOver if another process
   * has the folder.
   */
  append(list: readonly Buffer[]): Promise<number[]> {
    return this.queue.run(async () => {
      // A position is never assigned twice, not even that of an entry written partially.
      const first = this.nextSequence;
      this.nextSequence += list.length;
      const entries = list.map((bytes, index) => ({ sequence: first + index, bytes }));
      await this.writeEntries(entries);
      this.folder.confirm();
      return entries.map(({ sequence }) => sequence);
    });
  }

  /**
   * Removes full files whose entries up to this position have all been taken over; with `all` also the
   * current file.
   */
  release(upTo: number, all = false): Promise<void> {
    if (this.files.length < (all ? 1 : 2)) return Promise.resolve();
    return this.queue.run(async () => {
      if (all) await this.closeCurrent();
      const isDone = (file: JournalFile) =>
        file.lastSequence <= upTo && (file !== this.files.at(-1) || !this.current);
      for (const file of this.files.filter(isDone)) {
        await this.folder.remove(file.name);
        this.files.splice(this.files.indexOf(file), 1);
      }
    });
  }

  /**
   * Stores an entry that could not be taken over in a file beside the journal, for an operator; returns the
   * file name.
   */
  setAside(sequence: number, bytes: Buffer): Promise<string> {
    return this.folder.writeAside(sequence, bytes);
  }

  /**
   * Keeps copies of files beside the journal, even if the originals are removed; returns the names of those
   * not kept before.
   */
  keepDamaged(names: readonly string[]): Promise<string[]> {
    return this.queue.run(() => this.folder.keep(names));
  }

  close(): Promise<void> {
    return this.queue.run(async () => {
      await this.closeCurrent();
      await this.folder.close();
    });
  }

  /** Copies the entries of another process to files of this one. */
  private async copyEntries(entries: readonly JournalEntry[]): Promise<void> {
    let from = 0;
    while (from < entries.length) {
      let end = from;
      for (let size = 0; end < entries.length && size < copyBatchBytes; end++)
        size += entries[end]!.bytes.length;
      await this.writeEntries(entries.slice(from, end));
      from = end;
    }
  }

  private async writeEntries(entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const { handle, file } = await this.open(entries[0]!.sequence);
    const parts = file.size === 0 ? [createHeader(file.salt)] : [];
    let end = file.size + (parts[0]?.length ?? 0);
    for (const entry of entries) {
      const head = file.writer.createHead(entry, end);
      parts.push(head, entry.bytes);
      end += head.length + entry.bytes.length;
    }
    const growth = Math.min(defaultGrowthBytes, this.fileSize);
    const room = Math.max(file.allocatedBytes, Math.ceil(end / growth) * growth);
    if (room > file.allocatedBytes) parts.push(zeros.subarray(0, room - end));
    try {
      // Writing many small parts costs the system more than concatenating them here.
      const isSmall = end - file.size <= maxConcatBytes;
      await writeAll(handle, isSmall ? [Buffer.concat(parts)] : parts, file.size);
      Object.assign(file, { lastSequence: entries.at(-1)!.sequence, size: end, allocatedBytes: room });
    } catch (error) {
      // It is unknown which part is on disk, so nothing is appended after it.
      await handle.truncate(file.size).catch(() => undefined);
      await this.closeCurrent();
      throw error;
    }
    if (end >= this.fileSize) await this.closeCurrent();
  }

  /** Returns the file for the entry at this position. */
  private async open(sequence: number): Promise<{ handle: DiskFile; file: JournalFile }> {
    if (!this.current) {
      const { name, salt, file: handle } = await this.folder.create(sequence);
      this.files.push({
        name,
        salt,
        writer: new EntryWriter(salt),
        lastSequence: sequence - 1,
        size: 0,
        allocatedBytes: 0,
      });
      this.current = handle;
    }
    return { handle: this.current, file: this.files.at(-1)! };
  }

  private async closeCurrent(): Promise<void> {
    const handle = this.current;
    this.current = undefined;
    await handle?.close().catch(() => undefined);
  }
}
