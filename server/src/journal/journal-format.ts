// Encodes entries in a journal file, and recovers the intact ones from a damaged file.
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export interface JournalEntry {
  /** Increases from entry to entry. */
  sequence: number;
  bytes: Buffer;
}

/** Content of a file. */
export interface JournalContent {
  entries: JournalEntry[];
  /** Highest position in the file, including damaged entries; 0 if there is none. */
  lastSequence: number;
  /** Bytes that were written and are not part of a valid entry. */
  damagedBytes: number;
}

/** Thrown for a file in a version that this program does not support. */
export class UnknownJournalVersion extends Error {
  override readonly name = 'UnknownJournalVersion';
}

const version = 2;
/** Name of the format, with its version in the last byte. */
const magic = Buffer.from([...Buffer.from('YAGURAJ'), version]);
const saltSize = 16;
const checksumSize = 8;
/** Magic, salt, checksum of both. */
export const headerSize = magic.length + saltSize + checksumSize;
const markerSize = 8;
/** Marker, length, CRC-32 of the bytes, position in the journal, offset in the file, checksum of these. */
const checksummedSize = markerSize + 4 + 4 + 8 + 8;
export const entryHeadSize = checksummedSize + checksumSize;
/** Version 1: length and CRC-32, then the position, which the CRC-32 also covers. */
const version1HeadSize = 16;

/**
 * Random and different for each file. It is part of the file name and never visible to senders: the marker
 * and the checksums of entries derive from it, so bytes chosen by a sender are never mistaken for an entry.
 * The header contains it too, for operators who have a file without its name; the server does not trust that
 * copy, because a message body at the beginning of a damaged file could contain anything.
 */
export type Salt = Buffer;

export const newSalt = (): Salt => randomBytes(saltSize);

export function createHeader(salt: Salt, inVersion = version): Buffer {
  const head = Buffer.concat([magic, salt]);
  head[magic.length - 1] = inVersion;
  return Buffer.concat([head, checksumOf(head)]);
}

/** Encodes entries for a file. */
export class EntryWriter {
  /** The salt, followed by the head that is checksummed with it. */
  private readonly salted: Buffer;
  private readonly summed: Buffer;

  constructor(salt: Salt) {
    this.salted = Buffer.concat([salt, Buffer.alloc(checksummedSize)]);
    this.summed = this.salted.subarray(saltSize);
    markerFor(salt).copy(this.summed, 0);
  }

  /** Returns the head of an entry at this offset of its file. */
  createHead({ sequence, bytes }: JournalEntry, position: number): Buffer {
    const { salted, summed } = this;
    summed.writeUInt32LE(bytes.length, 8);
    summed.writeUInt32LE(crc32(bytes), 12);
    summed.writeBigUInt64LE(BigInt(sequence), 16);
    summed.writeBigUInt64LE(BigInt(position), 24);
    const head = Buffer.allocUnsafe(entryHeadSize);
    summed.copy(head, 0);
    // As text, because a buffer of its own costs more than the checksum.
    head.write(hash('sha256', salted, 'binary'), checksummedSize, checksumSize, 'latin1');
    return head;
  }
}

/** Finds entries in chunks of a file whose name contains this salt. */
export class EntryFinder {
  private readonly salt: Salt;
  private readonly marker: Buffer;

  constructor(salt: Salt) {
    this.salt = salt;
    this.marker = markerFor(salt);
  }

  /**
   * Returns the entry at `at` of a chunk that starts at offset `position` of the file, and where it ends in
   * the chunk; only `needs`, its size, if the chunk does not contain all of it; undefined if no entry starts
   * there.
   */
  readEntry(part: Buffer, at: number, position: number): FoundEntry | { needs: number } | undefined {
    const head = readHead(part, at, this.salt);
    if (!head || head.position !== position + at) return undefined;
    const start = at + entryHeadSize;
    const bytes = part.subarray(start, start + head.length);
    if (bytes.length < head.length) return { needs: entryHeadSize + head.length };
    if (crc32(bytes) !== head.checksum) return undefined;
    return { sequence: head.sequence, bytes, end: start + head.length };
  }

  /** Returns where an entry may start after `at`; -1 if nowhere. */
  findNext(part: Buffer, at: number): number {
    return part.indexOf(this.marker, at + 1);
  }
}

export interface FoundEntry extends JournalEntry {
  end: number;
}

/**
 * Reads a file of version 2 whose name contains this salt. Each byte is read a bounded number of times:
 * content is read only for a head with a valid checksum, and per position once at its own offset and once
 * before it.
 */
export function readEntries(bytes: Buffer, salt: Salt): JournalContent {
  const isHeaded = readHeader(bytes)?.equals(salt) ?? false;
  if (isHeaded && bytes[magic.length - 1] !== version) {
    throw new UnknownJournalVersion(
      `The intake journal was written in version ${bytes[magic.length - 1]}, this program knows version ${version}. Start the newer program again.`,
    );
  }
  const marker = markerFor(salt);
  const found = new Map<number, Buffer>();
  const moved = new Set<number>();
  let lastSequence = 0;
  let damagedBytes = 0;
  let end = isHeaded || isZero(bytes.subarray(0, headerSize)) ? Math.min(headerSize, bytes.length) : 0;
  let from = end;
  for (;;) {
    const at = bytes.indexOf(marker, from);
    if (at === -1) break;
    from = at + 1;
    const head = readHead(bytes, at, salt);
    // Missing bytes shift entries forward; an entry after its own offset is a copy.
    if (!head || head.position < at) continue;
    lastSequence = Math.max(lastSequence, head.sequence);
    if (head.position > at) {
      if (found.has(head.sequence) || moved.has(head.sequence)) continue;
      moved.add(head.sequence);
    }
    const start = at + entryHeadSize;
    const entry = bytes.subarray(start, start + head.length);
    if (entry.length < head.length || crc32(entry) !== head.checksum) continue;
    found.set(head.sequence, entry);
    damagedBytes += at - end;
    end = start + head.length;
    from = end;
  }
  const entries = [...found]
    .map(([sequence, entry]) => ({ sequence, bytes: entry }))
    .sort((a, b) => a.sequence - b.sequence);
  return { entries, lastSequence, damagedBytes: damagedBytes + sizeWithoutPadding(bytes.subarray(end)) };
}

/**
 * Reads a file of version 1 up to the first damage: its checksums do not distinguish entries from bytes that
 * look like one.
 */
export function readVersion1Entries(bytes: Buffer): JournalContent {
  const entries: JournalEntry[] = [];
  let at = 0;
  while (bytes.length - at >= version1HeadSize) {
    const end = at + version1HeadSize + bytes.readUInt32LE(at);
    const sequence = Number(bytes.readBigUInt64LE(at + 8));
    if (end > bytes.length) break;
    const entry = bytes.subarray(at + version1HeadSize, end);
    if (bytes.readUInt32LE(at + 4) !== crc32(entry, crc32(bytes.subarray(at + 8, at + version1HeadSize))))
      break;
    // Zeros that a file grew by are not an entry: the checksum of nothing at position 0 is not 0.
    entries.push({ sequence, bytes: entry });
    at = end;
  }
  return {
    entries,
    lastSequence: entries.at(-1)?.sequence ?? 0,
    damagedBytes: sizeWithoutPadding(bytes.subarray(at)),
  };
}

interface EntryHead {
  length: number;
  checksum: number;
  sequence: number;
  position: number;
}

function readHead(bytes: Buffer, at: number, salt: Salt): EntryHead | undefined {
  if (bytes.length - at < entryHeadSize) return undefined;
  const head = bytes.subarray(at, at + entryHeadSize);
  if (!checksumOf(salt, head.subarray(0, checksummedSize)).equals(head.subarray(checksummedSize)))
    return undefined;
  return {
    length: head.readUInt32LE(8),
    checksum: head.readUInt32LE(12),
    sequence: Number(head.readBigUInt64LE(16)),
    position: Number(head.readBigUInt64LE(24)),
  };
}

/** Returns the salt of an intact header. */
export function readHeader(bytes: Buffer): Salt | undefined {
  const head = bytes.subarray(0, headerSize - checksumSize);
  if (bytes.length < headerSize || !checksumOf(head).equals(bytes.subarray(head.length, headerSize)))
    return undefined;
  if (!head.subarray(0, magic.length - 1).equals(magic.subarray(0, magic.length - 1))) return undefined;
  return head.subarray(magic.length);
}

const markerFor = (salt: Salt): Buffer => checksumOf(salt, Buffer.from('marker'));

function checksumOf(...parts: Buffer[]): Buffer {
  return hash('sha256', parts.length === 1 ? parts[0]! : Buffer.concat(parts), 'buffer').subarray(
    0,
    checksumSize,
  );
}

/** Size without the trailing zeros. */
function sizeWithoutPadding(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end;
}

function isZero(bytes: Buffer): boolean {
  return sizeWithoutPadding(bytes) === 0;
}
