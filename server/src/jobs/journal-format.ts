// How entries stand in a file of the journal, and how those that are whole are found again in a damaged one.
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export interface JournalEntry {
  /** Grows from entry to entry. */
  place: number;
  bytes: Buffer;
}

/** What a file holds. */
export interface JournalContent {
  entries: JournalEntry[];
  /** The highest place that stands in it, also of an entry that is damaged; 0 without any. */
  last: number;
  /** Bytes that were written and belong to no entry. */
  damagedBytes: number;
}

/** A file of a version that this program does not know. */
export class UnknownJournalVersion extends Error {
  override readonly name = 'UnknownJournalVersion';
}

const version = 2;
/** Name of the format, its version in the last byte. */
const magic = Buffer.from([...Buffer.from('YAGURAJ'), version]);
const saltSize = 16;
const sumSize = 8;
/** Magic, salt, sum of both. */
export const headerSize = magic.length + saltSize + sumSize;
const markerSize = 8;
/** Marker, length, CRC-32 of the bytes, place, position in the file, sum of these. */
const summedSize = markerSize + 4 + 4 + 8 + 8;
export const entryHeadSize = summedSize + sumSize;
/** Of version 1: length and CRC-32, then the place, to which the CRC-32 extends. */
const oldHeadSize = 16;

/**
 * Random and different for each file. It stands in the name and nowhere that a sender sees: the marker and the sums of a
 * file's entries follow from it, so bytes that a sender chose are never taken for an entry. It stands in the header as
 * well, for people who have a file without its name; the server does not believe that, because a body that came to stand
 * at the beginning of a damaged file could say anything.
 */
export type Salt = Buffer;

export const newSalt = (): Salt => randomBytes(saltSize);

export function headerOf(salt: Salt, inVersion = version): Buffer {
  const head = Buffer.concat([magic, salt]);
  head[magic.length - 1] = inVersion;
  return Buffer.concat([head, sumOf(head)]);
}

/** Writes entries as they stand in a file. */
export class EntryWriter {
  private readonly marker: Buffer;
  /** The salt, then the head whose sum is taken with it. */
  private readonly summed: Buffer;

  constructor(salt: Salt) {
    this.marker = markerOf(salt);
    this.summed = Buffer.concat([salt, Buffer.alloc(summedSize)]);
  }

  /** What stands before the bytes of an entry at this position of its file. */
  headOf({ place, bytes }: JournalEntry, position: number): Buffer {
    const summed = this.summed.subarray(saltSize);
    this.marker.copy(summed, 0);
    summed.writeUInt32LE(bytes.length, 8);
    summed.writeUInt32LE(crc32(bytes), 12);
    summed.writeBigUInt64LE(BigInt(place), 16);
    summed.writeBigUInt64LE(BigInt(position), 24);
    return Buffer.concat([summed, sumOf(this.summed)]);
  }
}

/** Finds entries in parts of a file whose name tells this salt. */
export class EntryFinder {
  private readonly salt: Salt;
  private readonly marker: Buffer;

  constructor(salt: Salt) {
    this.salt = salt;
    this.marker = markerOf(salt);
  }

  /**
   * The entry that begins at `at` of a part that begins at `position` of the file, and where it ends in the part; only
   * `needs`, its bytes, when the part does not have all of them, and nothing when none begins there.
   */
  entryAt(part: Buffer, at: number, position: number): FoundEntry | { needs: number } | undefined {
    const head = headAt(part, at, this.salt);
    if (!head || head.position !== position + at) return undefined;
    const start = at + entryHeadSize;
    const bytes = part.subarray(start, start + head.length);
    if (bytes.length < head.length) return { needs: entryHeadSize + head.length };
    if (crc32(bytes) !== head.checksum) return undefined;
    return { place: head.place, bytes, end: start + head.length };
  }

  /** Where behind `at` an entry may begin; -1 when none does. */
  next(part: Buffer, at: number): number {
    return part.indexOf(this.marker, at + 1);
  }
}

export interface FoundEntry extends JournalEntry {
  end: number;
}

/**
 * Reads a file of version 2 whose name tells this salt. Each byte is looked at a bounded number of times:
 * only a head with a right sum leads to its bytes, and for each place at its own position once and before it once.
 */
export function readEntries(bytes: Buffer, salt: Salt): JournalContent {
  const isHeaded = headerIn(bytes)?.equals(salt) ?? false;
  if (isHeaded && bytes[magic.length - 1] !== version) {
    throw new UnknownJournalVersion(
      `The intake journal was written in version ${bytes[magic.length - 1]}, this program knows version ${version}. Start the newer program again.`,
    );
  }
  const marker = markerOf(salt);
  const found = new Map<number, Buffer>();
  const moved = new Set<number>();
  let last = 0;
  let damagedBytes = 0;
  let end = isHeaded || isZero(bytes.subarray(0, headerSize)) ? Math.min(headerSize, bytes.length) : 0;
  let from = end;
  for (;;) {
    const at = bytes.indexOf(marker, from);
    if (at === -1) break;
    from = at + 1;
    const head = headAt(bytes, at, salt);
    // Bytes that are missing move entries to the front; what stands behind its own position is a copy.
    if (!head || head.position < at) continue;
    last = Math.max(last, head.place);
    if (head.position > at) {
      if (found.has(head.place) || moved.has(head.place)) continue;
      moved.add(head.place);
    }
    const start = at + entryHeadSize;
    const entry = bytes.subarray(start, start + head.length);
    if (entry.length < head.length || crc32(entry) !== head.checksum) continue;
    found.set(head.place, entry);
    damagedBytes += at - end;
    end = start + head.length;
    from = end;
  }
  const entries = [...found]
    .map(([place, entry]) => ({ place, bytes: entry }))
    .sort((a, b) => a.place - b.place);
  return { entries, last, damagedBytes: damagedBytes + writtenSize(bytes.subarray(end)) };
}

/** Reads a file of version 1, up to the first damage: its sums do not tell an entry from bytes that look like one. */
export function readOldEntries(bytes: Buffer): JournalContent {
  const entries: JournalEntry[] = [];
  let at = 0;
  while (bytes.length - at >= oldHeadSize) {
    const end = at + oldHeadSize + bytes.readUInt32LE(at);
    const place = Number(bytes.readBigUInt64LE(at + 8));
    if (end > bytes.length) break;
    const entry = bytes.subarray(at + oldHeadSize, end);
    if (bytes.readUInt32LE(at + 4) !== crc32(entry, crc32(bytes.subarray(at + 8, at + oldHeadSize)))) break;
    // Zeros that a file grew by are no entry: the checksum of nothing at place 0 is not 0.
    entries.push({ place, bytes: entry });
    at = end;
  }
  return { entries, last: entries.at(-1)?.place ?? 0, damagedBytes: writtenSize(bytes.subarray(at)) };
}

interface Head {
  length: number;
  checksum: number;
  place: number;
  position: number;
}

function headAt(bytes: Buffer, at: number, salt: Salt): Head | undefined {
  if (bytes.length - at < entryHeadSize) return undefined;
  const head = bytes.subarray(at, at + entryHeadSize);
  if (!sumOf(salt, head.subarray(0, summedSize)).equals(head.subarray(summedSize))) return undefined;
  return {
    length: head.readUInt32LE(8),
    checksum: head.readUInt32LE(12),
    place: Number(head.readBigUInt64LE(16)),
    position: Number(head.readBigUInt64LE(24)),
  };
}

/** The salt that a whole header tells. */
export function headerIn(bytes: Buffer): Salt | undefined {
  const head = bytes.subarray(0, headerSize - sumSize);
  if (bytes.length < headerSize || !sumOf(head).equals(bytes.subarray(head.length, headerSize)))
    return undefined;
  if (!head.subarray(0, magic.length - 1).equals(magic.subarray(0, magic.length - 1))) return undefined;
  return head.subarray(magic.length);
}

const markerOf = (salt: Salt): Buffer => sumOf(salt, Buffer.from('marker'));

function sumOf(...parts: Buffer[]): Buffer {
  return hash('sha256', parts.length === 1 ? parts[0]! : Buffer.concat(parts), 'buffer').subarray(0, sumSize);
}

/** Bytes up to the zeros that a file ends in. */
function writtenSize(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end;
}

function isZero(bytes: Buffer): boolean {
  return writtenSize(bytes) === 0;
}
