/**
 * Manages the files of a journal and which process may write them.
 * Each process that opens the folder is a new epoch, one higher than any before. It claims the epoch with
 * `<epoch>.opening`, renamed to `<epoch>.owner` once all entries of earlier epochs have been copied to its
 * own files; from then on only files of this epoch count, even if a slower process still writes to others.
 * Before reading anything it truncates the files that earlier processes hold open as their marks. A process
 * that finds its own mark empty after a write does not acknowledge that write; if the mark is intact, the
 * write happened before the next process read the files.
 * Each epoch has an id of its own in `<epoch>.id`, so that the database can store a position for it: a copy of
 * the folder continues under another id.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../common/log.ts';
import { type Disk, type DiskFile, durableFileFlags, ignoreMissing, nodeDisk, writeAll } from './disk.ts';
import {
  type JournalContent,
  type JournalEntry,
  newSalt,
  readEntries,
  readHeader,
  readVersion1Entries,
  type Salt,
} from './journal-format.ts';

/** Another process has opened the journal in the meantime. */
export class JournalTakenOver extends Error {
  override readonly name = 'JournalTakenOver';
  constructor(folder: string) {
    super(
      `The intake journal ${folder} was taken over by another process; this one must not answer any more.`,
    );
  }
}

const damagedSuffix = '.damaged';
const refusedSuffix = '.refused';
const partialSuffix = '.partial';
const padDigits = (number: number, count: number) => String(number).padStart(count, '0');

interface DataFileName {
  name: string;
  epoch: number;
  firstSequence: number;
  /** Absent in version 1, whose file names contain only the position. */
  salt: Salt | undefined;
}

export interface JournalLeftover {
  /** Ordered by position, each position once. */
  entries: JournalEntry[];
  /** The highest position assigned. */
  lastSequence: number;
  /** Names of files with bytes that are not part of a valid entry. */
  damagedFiles: string[];
}

/** What the database stores positions under. */
export interface JournalIds {
  /** Of the journal as this process has opened it. */
  id: string;
  /** Of the journal whose entries this process takes over; null if it cannot be read. */
  previousId: string | null;
}

/** Journals of releases that had no ids, and the predecessor of a new folder. */
export const unnamedJournalId = '00000000-0000-0000-0000-000000000000';

export class JournalFolder {
  readonly id: string;
  private readonly disk: Disk;
  private readonly folder: string;
  private readonly epoch: number;
  private readonly epochFile: DiskFile;

  private constructor(disk: Disk, folder: string, epoch: number, id: string, own: DiskFile) {
    this.id = id;
    this.disk = disk;
    this.folder = folder;
    this.epoch = epoch;
    this.epochFile = own;
  }

  /** Ends earlier epochs; from here on no other process can acknowledge its writes. */
  static async claim(disk: Disk, folder: string): Promise<JournalFolder> {
    await disk.makeFolder(folder);
    const epoch = Math.max(0, ...(await disk.list(folder)).map(epochOf)) + 1;
    const opening = join(folder, openingName(epoch));
    const own = await disk.open(opening, durableFileFlags);
    try {
      const owner = { version: 2, pid: process.pid, host: hostname(), since: new Date().toISOString() };
      await writeAll(own, [Buffer.from(`${JSON.stringify(owner)}\n`)], 0);
      const names = await disk.list(folder);
      // Between listing and claiming, another process may have claimed this epoch or a later one.
      if (names.some((name) => epochOf(name) >= epoch && name !== openingName(epoch))) {
        await disk.remove(opening);
        throw new JournalTakenOver(folder);
      }
      for (const name of names) {
        if (isEpochFile(name) && epochOf(name) < epoch)
          await ignoreMissing(disk.truncate(join(folder, name), 0));
      }
      const id = randomUUID();
      await writeNewFile(disk, join(folder, idName(epoch)), Buffer.from(`${id}\n`));
      return new JournalFolder(disk, folder, epoch, id, own);
    } catch (error) {
      await own.close();
      throw error;
    }
  }

  /** Id of the epoch whose entries this one takes over. */
  previousId(): Promise<string | null> {
    return readJournalId(this.folder, this.disk);
  }

  /** Reads the entries left by earlier epochs. */
  async read(log: Log): Promise<JournalLeftover> {
    const names = await this.disk.list(this.folder);
    const owner = latestOwner(names);
    const files = names
      .map(parseDataFileName)
      // Without an owner nothing has been copied yet, so all files count.
      .filter((file) => file !== undefined)
      .filter(({ epoch }) => epoch < this.epoch && (owner === 0 || epoch === owner))
      .sort((a, b) => a.firstSequence - b.firstSequence || a.epoch - b.epoch || (a.name < b.name ? -1 : 1));
    const leftover: JournalLeftover = { entries: [], lastSequence: 0, damagedFiles: [] };
    const bySequence = new Map<number, Buffer>();
    const again: Buffer[] = [];
    for (const file of files) {
      const bytes = await ignoreMissing(this.disk.read(join(this.folder, file.name)));
      if (!bytes) continue;
      const { entries, lastSequence, damagedBytes } = file.salt
        ? readEntries(bytes, file.salt)
        : readVersion1Entries(bytes);
      leftover.lastSequence = Math.max(leftover.lastSequence, lastSequence, file.firstSequence - 1);
      for (const entry of entries) {
        const first = bySequence.get(entry.sequence);
        if (!first) bySequence.set(entry.sequence, entry.bytes);
        else if (!first.equals(entry.bytes)) again.push(entry.bytes);
      }
      if (damagedBytes === 0) continue;
      leftover.damagedFiles.push(file.name);
      const what = `${damagedBytes} bytes of the journal file ${file.name} are no entry`;
      const why = 'a write that a crash broke off, which was answered to nobody, or damage';
      log({ level: 'warn', message: `${what}: ${why}; the file is kept as ${file.name}${damagedSuffix}` });
    }
    leftover.entries = [...bySequence]
      .map(([sequence, bytes]) => ({ sequence, bytes }))
      .sort((a, b) => a.sequence - b.sequence);
    // Version 1 could assign a position twice.
    for (const bytes of again) leftover.entries.push({ sequence: ++leftover.lastSequence, bytes });
    return leftover;
  }

  /** Makes this epoch's files the only ones that count; damaged files are kept for an operator. */
  async commit(damagedNames: readonly string[]): Promise<void> {
    for (const name of damagedNames) await this.keepDamaged(name);
    await this.disk.syncFolder(this.folder);
    this.confirm();
    await this.disk.rename(
      join(this.folder, openingName(this.epoch)),
      join(this.folder, ownerName(this.epoch)),
    );
    await this.disk.syncFolder(this.folder);
    this.confirm();
    for (const name of await this.disk.list(this.folder)) {
      const isOlder =
        (isEpochFile(name) || isIdFile(name) || parseDataFileName(name) !== undefined) &&
        epochOf(name) < this.epoch;
      if (isOlder || name.endsWith(`${refusedSuffix}${partialSuffix}`))
        await this.disk.remove(join(this.folder, name));
    }
  }

  /** Throws if another process has claimed the folder. */
  confirm(): void {
    let size = 0;
    try {
      size = this.epochFile.size();
    } catch {
      // Unknown, so treat it as lost.
    }
    if (size === 0) throw new JournalTakenOver(this.folder);
  }

  /** Creates a file for entries from this position on; its name is unique for all time. */
  async create(sequence: number): Promise<{ name: string; salt: Salt; file: DiskFile }> {
    const salt = newSalt();
    const name = `${padDigits(this.epoch, 10)}-${padDigits(sequence, 16)}-${salt.toString('hex')}`;
    const file = await this.disk.open(join(this.folder, name), durableFileFlags);
    try {
      await this.disk.syncFolder(this.folder);
    } catch (error) {
      await file.close();
      throw error;
    }
    return { name, salt, file };
  }

  async remove(name: string): Promise<void> {
    this.confirm();
    await this.disk.remove(join(this.folder, name));
  }

  /** Writes the entry of this position to a file of its own beside the journal; returns the file name. */
  async writeAside(sequence: number, bytes: Buffer): Promise<string> {
    const name = `${padDigits(sequence, 16)}${refusedSuffix}`;
    const path = join(this.folder, name);
    await this.disk.remove(path + partialSuffix);
    await writeNewFile(this.disk, path + partialSuffix, bytes);
    await this.disk.rename(path + partialSuffix, path);
    await this.disk.syncFolder(this.folder);
    return name;
  }

  /** Hard-links these files under names that are never removed; returns the new names. */
  async keep(names: readonly string[]): Promise<string[]> {
    const kept: string[] = [];
    for (const name of names) kept.push(...((await ignoreMissing(this.keepDamaged(name))) ?? []));
    // Also for names from an earlier start, which may have been killed before it synced them.
    await this.disk.syncFolder(this.folder);
    return kept;
  }

  close(): Promise<void> {
    return this.epochFile.close();
  }

  private async keepDamaged(name: string): Promise<string[]> {
    for (let count = 1; ; count++) {
      const kept = count === 1 ? `${name}${damagedSuffix}` : `${name}.${count}${damagedSuffix}`;
      try {
        await this.disk.link(join(this.folder, name), join(this.folder, kept));
        return [kept];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        // Kept by an earlier start that was also interrupted; only version 1 reused names.
        if (parseDataFileName(name)?.salt) return [];
      }
    }
  }
}

/**
 * Reads a journal file, including one kept as `.damaged`; without a salt in the name, the header is trusted.
 */
export function readJournalFile(name: string, bytes: Buffer): JournalContent {
  const salt = parseDataFileName(name.replace(/(\.\d+)?\.damaged$/, ''))?.salt ?? readHeader(bytes);
  return salt ? readEntries(bytes, salt) : readVersion1Entries(bytes);
}

/** Parses the name of a data file; undefined for all other files. */
export function parseDataFileName(name: string): DataFileName | undefined {
  const old = /^(\d{16})$/.exec(name);
  if (old) return { name, epoch: 0, firstSequence: Number(old[1]), salt: undefined };
  const parts = /^(\d{10,15})-(\d{16})-([0-9a-f]{32})$/.exec(name);
  if (!parts) return undefined;
  return {
    name,
    epoch: Number(parts[1]),
    firstSequence: Number(parts[2]),
    salt: Buffer.from(parts[3]!, 'hex'),
  };
}

/** Id of the journal that a folder contains; null if it cannot be read. */
export async function readJournalId(folder: string, disk: Disk = nodeDisk): Promise<string | null> {
  const owner = latestOwner((await ignoreMissing(disk.list(folder))) ?? []);
  const bytes = await ignoreMissing(disk.read(join(folder, idName(owner))));
  if (!bytes) return unnamedJournalId;
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\n$/.test(bytes.toString('latin1'))
    ? bytes.toString('latin1').trim()
    : null;
}

async function writeNewFile(disk: Disk, path: string, bytes: Buffer): Promise<void> {
  const file = await disk.open(path, durableFileFlags);
  try {
    await writeAll(file, [bytes], 0);
  } finally {
    await file.close();
  }
}

/** 0 if no epoch has ever been complete. */
const latestOwner = (names: readonly string[]) => Math.max(0, ...names.filter(isOwner).map(epochOf));
const idName = (epoch: number) => `${padDigits(epoch, 10)}.id`;
const isIdFile = (name: string) => /^\d{10,15}\.id$/.test(name);
const openingName = (epoch: number) => `${padDigits(epoch, 10)}.opening`;
const ownerName = (epoch: number) => `${padDigits(epoch, 10)}.owner`;
const isEpochFile = (name: string) => /^\d{10,15}\.(opening|owner)$/.test(name);
const isOwner = (name: string) => isEpochFile(name) && name.endsWith('.owner');
/** 0 for files of version 1 and for files that do not belong to the journal. */
const epochOf = (name: string): number =>
  isEpochFile(name) || isIdFile(name)
    ? Number(name.slice(0, name.indexOf('.')))
    : (parseDataFileName(name)?.epoch ?? 0);
