// Entries that are on disk before anybody is told so, and stay there until they were taken over elsewhere.
import type { Log } from '../log.ts';
import { type Disk, type DiskFile, machineDisk, writeAll } from './disk.ts';
import { JournalFolder } from './journal-folder.ts';
import { EntryWriter, headerOf, type JournalEntry, type Salt } from './journal-format.ts';

export { JournalTakenOver } from './journal-folder.ts';
export type { JournalEntry } from './journal-format.ts';

/** Bytes after which another file is begun, when nothing else is said. */
const usualFileSize = 32 << 20;
/**
 * Files grow by so many bytes of zeros: a write into what is there already costs the file system no entry of its own
 * log, for which it would wait behind the store's.
 */
const usualGrowth = 256 << 10;
const zeros = Buffer.alloc(usualGrowth);
/** Writes of so many bytes are put together before they are handed to the system. */
const copiedSize = 1 << 20;
/** Bytes of one write while what an earlier process left is copied. */
const copiedAtOnce = 4 << 20;

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
  last: number;
  /** Bytes of its entries, and with the zeros behind them. */
  size: number;
  room: number;
}

/**
 * One process at a time has a folder open: who opens it takes it over, and the appends of the process before are refused
 * unless what they wrote has been read by the next.
 */
export class Journal {
  private readonly place: JournalFolder;
  private readonly fileSize: number;
  private next: number;
  private files: JournalFile[] = [];
  /** The last of the files, while it is written to. */
  private current: DiskFile | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(place: JournalFolder, next: number, fileSize: number) {
    this.place = place;
    this.next = next;
    this.fileSize = fileSize;
  }

  /**
   * Opens the folder and gives, in order, the entries behind `after` that no `release` came for. Throws what the file
   * system throws.
   */
  static async open(
    folder: string,
    after: number,
    { log, fileSize = usualFileSize, disk = machineDisk }: JournalOptions,
  ): Promise<{ journal: Journal; entries: JournalEntry[] }> {
    const place = await JournalFolder.claim(disk, folder);
    const journal = new Journal(place, after + 1, fileSize);
    try {
      const left = await place.read(log);
      const entries = left.entries.filter((entry) => entry.place > after);
      journal.next = Math.max(journal.next, left.last + 1);
      await journal.copy(entries);
      await place.commit(left.damaged);
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
    return this.inTurn(async () => {
      // A place is never given twice, not even one of an entry that came to the disk by half.
      const first = this.next;
      this.next += list.length;
      const entries = list.map((bytes, index) => ({ place: first + index, bytes }));
      await this.write(entries);
      this.place.confirm();
      return entries.map(({ place }) => place);
    });
  }

  /** Removes the full files of which everything up to this place was taken over; with `all` that which is written to, too. */
  release(upTo: number, all = false): Promise<void> {
    if (this.files.length < (all ? 1 : 2)) return Promise.resolve();
    return this.inTurn(async () => {
      if (all) await this.leave();
      const isDone = (file: JournalFile) =>
        file.last <= upTo && (file !== this.files.at(-1) || !this.current);
      for (const file of this.files.filter(isDone)) {
        await this.place.remove(file.name);
        this.files.splice(this.files.indexOf(file), 1);
      }
    });
  }

  /** Keeps an entry that could not be taken over beside the journal, for people to look at; gives its file's name. */
  setAside(place: number, bytes: Buffer): Promise<string> {
    return this.place.writeAside(place, bytes);
  }

  /** Keeps files beside the journal, whatever becomes of them; gives the names of those that were not kept before. */
  keepDamaged(names: readonly string[]): Promise<string[]> {
    return this.inTurn(() => this.place.keep(names));
  }

  close(): Promise<void> {
    return this.inTurn(async () => {
      await this.leave();
      await this.place.close();
    });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }

  /** Copies what another process left into files of this one. */
  private async copy(entries: readonly JournalEntry[]): Promise<void> {
    let from = 0;
    while (from < entries.length) {
      let end = from;
      for (let size = 0; end < entries.length && size < copiedAtOnce; end++)
        size += entries[end]!.bytes.length;
      await this.write(entries.slice(from, end));
      from = end;
    }
  }

  private async write(entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const { handle, file } = await this.open(entries[0]!.place);
    const parts = file.size === 0 ? [headerOf(file.salt)] : [];
    let end = file.size + (parts[0]?.length ?? 0);
    for (const entry of entries) {
      const head = file.writer.headOf(entry, end);
      parts.push(head, entry.bytes);
      end += head.length + entry.bytes.length;
    }
    const growth = Math.min(usualGrowth, this.fileSize);
    const room = Math.max(file.room, Math.ceil(end / growth) * growth);
    if (room > file.room) parts.push(zeros.subarray(0, room - end));
    try {
      // Many small parts cost the system more than one that was put together here.
      const isSmall = end - file.size <= copiedSize;
      await writeAll(handle, isSmall ? [Buffer.concat(parts)] : parts, file.size);
      Object.assign(file, { last: entries.at(-1)!.place, size: end, room });
    } catch (error) {
      // What of it is on the disk is not known; nothing is added behind that.
      await handle.truncate(file.size).catch(() => undefined);
      await this.leave();
      throw error;
    }
    if (end >= this.fileSize) await this.leave();
  }

  /** Where to write the entry of this place. */
  private async open(place: number): Promise<{ handle: DiskFile; file: JournalFile }> {
    if (!this.current) {
      const { name, salt, file: handle } = await this.place.create(place);
      this.files.push({ name, salt, writer: new EntryWriter(salt), last: place - 1, size: 0, room: 0 });
      this.current = handle;
    }
    return { handle: this.current, file: this.files.at(-1)! };
  }

  private async leave(): Promise<void> {
    const handle = this.current;
    this.current = undefined;
    await handle?.close().catch(() => undefined);
  }
}
