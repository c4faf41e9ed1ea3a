// Entries that are on disk before anybody is told so, and stay there until they were taken over elsewhere.
import type { Log } from '../common/log.ts';
import { type Disk, type DiskFile, nodeDisk, writeAll } from './disk.ts';
import { JournalFolder } from './journal-folder.ts';
import { createHeader, EntryWriter, type JournalEntry, type Salt } from './journal-format.ts';

export { JournalTakenOver } from './journal-folder.ts';
export type { JournalEntry } from './journal-format.ts';

/** Bytes after which another file is begun, when nothing else is said. */
const defaultFileBytes = 32 << 20;
/**
 * Files grow by so many bytes of zeros: a write into what is there already costs the file system no entry of its own
 * log, for which it would wait behind the store's.
 */
const defaultGrowthBytes = 256 << 10;
const zeros = Buffer.alloc(defaultGrowthBytes);
/** Writes of so many bytes are put together before they are handed to the system. */
const maxConcatBytes = 1 << 20;
/** Bytes of one write while what an earlier process left is copied. */
const copyBatchBytes = 4 << 20;

export interface JournalOptions {
  log: Log;
  /** Bytes after which another file is begun. */
  fileSize?: number;
  /** The file system; the machine's own when absent. */
  disk?: Disk;
}

interface JournalFile {
  name: string;
  salt: Salt;
  writer: EntryWriter;
  /** Place of its last entry. */
  lastSequence: number;
  /** Bytes of its entries, and with the zeros behind them. */
  size: number;
  allocatedBytes: number;
}

/**
 * One process at a time has a folder open: who opens it takes it over, and the appends of the process before are refused
 * unless what they wrote has been read by the next.
 */
export class Journal {
  private readonly folder: JournalFolder;
  private readonly fileSize: number;
  private nextSequence: number;
  private files: JournalFile[] = [];
  /** The last of the files, while it is written to. */
  private current: DiskFile | undefined;
  private queueTail: Promise<unknown> = Promise.resolve();

  private constructor(journalFolder: JournalFolder, next: number, fileSize: number) {
    this.folder = journalFolder;
    this.nextSequence = next;
    this.fileSize = fileSize;
  }

  /**
   * Opens the folder and gives, in order, the entries behind `after` that no `release` came for. Throws what the file
   * system throws.
   */
  static async open(
    folder: string,
    after: number,
    { log, fileSize = defaultFileBytes, disk = nodeDisk }: JournalOptions,
  ): Promise<{ journal: Journal; entries: JournalEntry[] }> {
    const journalFolder = await JournalFolder.claim(disk, folder);
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
   * Resolves with the places of the entries once all are on disk, where this process or the one that takes over finds
   * them. After a failure none of them counts as written; throws JournalTakenOver when another process has the folder.
   */
  append(list: readonly Buffer[]): Promise<number[]> {
    return this.serialize(async () => {
      // A place is never given twice, not even one of an entry that came to the disk by half.
      const first = this.nextSequence;
      this.nextSequence += list.length;
      const entries = list.map((bytes, index) => ({ sequence: first + index, bytes }));
      await this.writeEntries(entries);
      this.folder.confirm();
      return entries.map(({ sequence }) => sequence);
    });
  }

  /** Removes the full files of which everything up to this place was taken over; with `all` that which is written to, too. */
  release(upTo: number, all = false): Promise<void> {
    if (this.files.length < (all ? 1 : 2)) return Promise.resolve();
    return this.serialize(async () => {
      if (all) await this.closeCurrent();
      const isDone = (file: JournalFile) =>
        file.lastSequence <= upTo && (file !== this.files.at(-1) || !this.current);
      for (const file of this.files.filter(isDone)) {
        await this.folder.remove(file.name);
        this.files.splice(this.files.indexOf(file), 1);
      }
    });
  }

  /** Keeps an entry that could not be taken over beside the journal, for people to look at; gives its file's name. */
  setAside(sequence: number, bytes: Buffer): Promise<string> {
    return this.folder.writeAside(sequence, bytes);
  }

  /** Keeps files beside the journal, whatever becomes of them; gives the names of those that were not kept before. */
  keepDamaged(names: readonly string[]): Promise<string[]> {
    return this.serialize(() => this.folder.keep(names));
  }

  close(): Promise<void> {
    return this.serialize(async () => {
      await this.closeCurrent();
      await this.folder.close();
    });
  }

  private serialize<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queueTail.then(work);
    this.queueTail = result.catch(() => undefined);
    return result;
  }

  /** Copies what another process left into files of this one. */
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
      // Many small parts cost the system more than one that was put together here.
      const isSmall = end - file.size <= maxConcatBytes;
      await writeAll(handle, isSmall ? [Buffer.concat(parts)] : parts, file.size);
      Object.assign(file, { last: entries.at(-1)!.sequence, size: end, room });
    } catch (error) {
      // What of it is on the disk is not known; nothing is added behind that.
      await handle.truncate(file.size).catch(() => undefined);
      await this.closeCurrent();
      throw error;
    }
    if (end >= this.fileSize) await this.closeCurrent();
  }

  /** Where to write the entry of this place. */
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
