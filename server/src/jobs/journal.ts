// Entries that are on disk before anybody is told so, and stay there until they were taken over elsewhere.
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Log } from '../log.ts';

/** Before each entry: its length and checksum (32 bits each), then its place in the journal (64 bits). */
const headSize = 16;
/** Bytes after which another file is begun, when nothing else is said. */
const usualFileSize = 32 << 20;
/** A write returns when it is on disk, so that one call does for a batch. */
const flags = constants.O_CREAT | constants.O_WRONLY | constants.O_DSYNC;
/**
 * Files grow by so many bytes of zeros: a write into what is there already costs the file system no entry of its own
 * log, for which it would wait behind the store's.
 */
const growth = 256 << 10;
const zeros = Buffer.alloc(growth);

const damaged = '.damaged';

export interface JournalEntry {
  /** Grows by one from entry to entry. */
  place: number;
  bytes: Buffer;
}

export interface JournalOptions {
  log: Log;
  /** Bytes after which another file is begun. */
  fileSize?: number;
}

interface JournalFile {
  name: string;
  /** Place of its last entry. */
  last: number;
  /** Bytes of its entries, and with the zeros behind them. */
  size: number;
  room: number;
  /** Whether something stands in it that was written and cannot be read. */
  isDamaged: boolean;
}

/** One process at a time may have a folder open. */
export class Journal {
  private readonly folder: string;
  private readonly log: Log;
  private readonly fileSize: number;
  private next: number;
  private files: JournalFile[] = [];
  private current: FileHandle | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, after: number, { log, fileSize = usualFileSize }: JournalOptions) {
    this.folder = folder;
    this.next = after + 1;
    this.log = log;
    this.fileSize = fileSize;
  }

  /**
   * Opens the folder and gives, in order, the entries behind `after` that no `release` came for. Throws what the file
   * system throws.
   */
  static async open(
    folder: string,
    after: number,
    options: JournalOptions,
  ): Promise<{ journal: Journal; entries: JournalEntry[] }> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const journal = new Journal(folder, after, options);
    const entries: JournalEntry[] = [];
    for (const name of (await readdir(folder)).filter((one) => /^\d{16}$/.test(one)).sort()) {
      const found = await journal.read(name);
      entries.push(...found.filter(({ place }) => place > after));
    }
    const last = entries.at(-1)?.place ?? 0;
    journal.next = Math.max(journal.next, last + 1);
    return { journal, entries };
  }

  /** Resolves with the places of the entries once all are on disk. After a failure none of them counts as written. */
  append(list: readonly Buffer[]): Promise<number[]> {
    return this.inTurn(async () => {
      const first = this.next;
      const parts = list.flatMap((bytes, index) => [headOf(first + index, bytes), bytes]);
      const size = parts.reduce((sum, part) => sum + part.length, 0);
      // A place is never given twice, not even one of an entry that came to the disk by half.
      this.next += list.length;
      try {
        const handle = await this.handle(first);
        const file = this.files.at(-1)!;
        const end = file.size + size;
        const room = Math.max(file.room, Math.ceil(end / growth) * growth);
        if (room > file.room) parts.push(zeros.subarray(0, room - end));
        await writeAll(handle, parts, file.size);
        Object.assign(file, { last: first + list.length - 1, size: end, room });
        if (end >= this.fileSize) await this.leave();
      } catch (error) {
        // What of it is on the disk is not known; nothing is added behind that.
        await this.leave();
        throw error;
      }
      return list.map((_, index) => first + index);
    });
  }

  /** Removes the full files of which everything up to this place was taken over; with `all` that which is written to, too. */
  release(upTo: number, all = false): Promise<void> {
    if (this.files.length < (all ? 1 : 2)) return Promise.resolve();
    return this.inTurn(async () => {
      if (all) await this.leave();
      const isDone = (file: JournalFile) =>
        file.last <= upTo && (file !== this.files.at(-1) || !this.current);
      const done = this.files.filter(isDone);
      this.files = this.files.filter((file) => !isDone(file));
      for (const { name, isDamaged } of done) {
        const path = join(this.folder, name);
        await (isDamaged ? rename(path, path + damaged) : rm(path, { force: true }));
      }
    });
  }

  /** Keeps an entry that could not be taken over beside the journal, for people to look at; gives its file's name. */
  async setAside(place: number, bytes: Buffer): Promise<string> {
    const name = `${nameOf(place)}.refused`;
    const handle = await open(join(this.folder, name), flags, 0o600);
    try {
      await writeAll(handle, [bytes], 0);
    } finally {
      await handle.close();
    }
    return name;
  }

  close(): Promise<void> {
    return this.inTurn(() => this.leave());
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }

  /** Where to write the entry of this place. */
  private async handle(place: number): Promise<FileHandle> {
    if (this.current) return this.current;
    const name = nameOf(place);
    const handle = await open(join(this.folder, name), flags, 0o600);
    this.current = handle;
    this.files.push({ name, last: place - 1, size: 0, room: 0, isDamaged: false });
    await syncFolder(this.folder);
    return handle;
  }

  private async leave(): Promise<void> {
    const handle = this.current;
    this.current = undefined;
    await handle?.close().catch(() => undefined);
  }

  private async read(name: string): Promise<JournalEntry[]> {
    const bytes = await readFile(join(this.folder, name));
    const entries: JournalEntry[] = [];
    let at = 0;
    while (bytes.length - at >= headSize) {
      const end = at + headSize + bytes.readUInt32LE(at);
      const place = Number(bytes.readBigUInt64LE(at + 8));
      if (end > bytes.length) break;
      const entry = bytes.subarray(at + headSize, end);
      if (bytes.readUInt32LE(at + 4) !== checksumOf(bytes.subarray(at + 8, at + headSize), entry)) break;
      entries.push({ place, bytes: entry });
      at = end;
    }
    const rest = endOf(bytes) - at;
    const isDamaged = rest > 0;
    if (isDamaged) {
      const what = `${rest} bytes of the journal file ${name} are no entry`;
      const why = 'a write that a crash broke off, which was answered to nobody, or damage';
      this.log({ level: 'warn', message: `${what}: ${why}; the file is kept as ${name}${damaged}` });
    }
    this.files.push({ name, last: entries.at(-1)?.place ?? 0, size: at, room: bytes.length, isDamaged });
    return entries;
  }
}

function nameOf(place: number): string {
  return String(place).padStart(16, '0');
}

function headOf(place: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(headSize);
  head.writeUInt32LE(bytes.length, 0);
  head.writeBigUInt64LE(BigInt(place), 8);
  head.writeUInt32LE(checksumOf(head.subarray(8), bytes), 4);
  return head;
}

function checksumOf(place: Buffer, bytes: Buffer): number {
  return crc32(bytes, crc32(place));
}

/** One call as a rule; the system may take less of a large one. */
async function writeAll(handle: FileHandle, parts: Buffer[], position: number): Promise<void> {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const { bytesWritten } = await handle.writev(parts, position);
  let rest = bytesWritten === size ? undefined : Buffer.concat(parts).subarray(bytesWritten);
  while (rest && rest.length > 0) {
    const written = await handle.write(rest, 0, rest.length, position + size - rest.length);
    rest = rest.subarray(written.bytesWritten);
  }
}

/** Where the zeros begin that a file ends in. */
function endOf(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end;
}

/** Makes a new file's name as durable as what is written into it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
