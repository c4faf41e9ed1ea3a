// Fast-path frames (MS-RDPBCGR 2.2.8.1.2 and 2.2.9.1.2): pictures from the host, input from viewers.
import { ByteReader, malformed } from './byte-reader.ts';

export const updateCodes = {
  bitmap: 1,
  surface: 4,
  pointerHidden: 5,
  pointerDefault: 6,
  colorPointer: 9,
  cachedPointer: 10,
  newPointer: 11,
  largePointer: 12,
} as const;

/** A piece of an update, or all of it. */
export interface FastPathUpdate {
  code: number;
  fragment: 'single' | 'last' | 'first' | 'next';
  data: Buffer;
}

const fragments = ['single', 'last', 'first', 'next'] as const;
const compressed = 0x80;

function bodyOf(frame: Buffer): ByteReader {
  const reader = new ByteReader(frame);
  reader.take(1, 'fastpath.header');
  if (reader.u8('fastpath.length') >= 0x80) reader.take(1, 'fastpath.length');
  return reader;
}

/** Updates of a frame from the host. */
export function readUpdates(frame: Buffer): FastPathUpdate[] {
  const reader = bodyOf(frame);
  const updates: FastPathUpdate[] = [];
  while (reader.left > 0) {
    const header = reader.u8('fastpath.update');
    if ((header & 0xc0) === compressed) reader.take(1, 'fastpath.compression');
    const data = reader.take(reader.u16le('fastpath.size'), 'fastpath.size');
    const fragment = fragments[(header >> 4) & 3]!;
    updates.push({ code: header & 0x0f, fragment, data });
  }
  return updates;
}

/** Bytes of an update that is put together. */
const maxAssembled = 16 * 1024 * 1024;

/** Puts updates together that hosts send in pieces. */
export class UpdateAssembler {
  /** More of an update is to come. */
  isInside = false;
  private pieces: Buffer[] = [];
  private length = 0;

  /** The update that is complete with this piece; null for one that is not, or that is too long. */
  add({ fragment, data }: FastPathUpdate): Buffer | null {
    if (fragment === 'single' || fragment === 'first') {
      this.pieces = [];
      this.length = 0;
    }
    this.length += data.length;
    if (this.length <= maxAssembled) this.pieces.push(data);
    else this.pieces = [];
    this.isInside = fragment === 'first' || fragment === 'next';
    if (this.isInside) return null;
    const pieces = this.pieces.splice(0);
    if (this.length > maxAssembled) return null;
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }
}

/** Bytes of an update in one frame. */
const maxPiece = 0x3fff;

/** Frames with one update. */
export function encodeUpdate(code: number, data: Buffer): Buffer[] {
  const count = Math.max(1, Math.ceil(data.length / maxPiece));
  return Array.from({ length: count }, (_, index) => {
    const piece = data.subarray(index * maxPiece, (index + 1) * maxPiece);
    const isLast = index === count - 1;
    const fragment = count === 1 ? 'single' : index === 0 ? 'first' : isLast ? 'last' : 'next';
    const header = Buffer.alloc(6);
    header.writeUInt16BE(0x8000 | (header.length + piece.length), 1);
    header[3] = code | (fragments.indexOf(fragment) << 4);
    header.writeUInt16LE(piece.length, 4);
    return Buffer.concat([header, piece]);
  });
}

/** Bytes of each kind of input event after its first byte: key, mouse, extended mouse, locks, character. */
const eventLengths = [1, 6, 6, 0, 2];
const keyEvents = new Set([0, 4]);

/** Whether a viewer's frame has keys; throws for one with wrong lengths. */
export function hasKeys(frame: Buffer): boolean {
  const reader = bodyOf(frame);
  const count = (frame[0]! >> 2) & 0x0f || reader.u8('fastpath.count');
  let found = false;
  for (let index = 0; index < count; index += 1) {
    const code = reader.u8('fastpath.event') >> 5;
    const length = eventLengths[code];
    if (length === undefined) throw malformed('fastpath.event');
    reader.take(length, 'fastpath.event');
    found ||= keyEvents.has(code);
  }
  if (reader.left > 0) throw malformed('fastpath.count');
  return found;
}
