// Fast-path frames (MS-RDPBCGR 2.2.8.1.2 and 2.2.9.1.2): pictures from the host, input from viewers.
import {
  type DesktopUpdate,
  DesktopUpdateAssembler,
  readDesktopUpdates,
  updateFragments,
} from '@yagura/core/greac/stream/desktop-updates';
import { ByteReader, malformed } from './byte-reader.ts';

function bodyOf(frame: Buffer): ByteReader {
  const reader = new ByteReader(frame);
  reader.take(1, 'fastpath.header');
  if (reader.u8('fastpath.length') >= 0x80) reader.take(1, 'fastpath.length');
  return reader;
}

/** A piece of an update as a buffer, or all of it. */
export type FastPathUpdate = DesktopUpdate & { data: Buffer };

/** Updates of a frame from the host, with the error of this gateway. */
export function readUpdates(frame: Buffer): FastPathUpdate[] {
  try {
    return readDesktopUpdates(frame).map((update) => ({ ...update, data: bufferOf(update.data) }));
  } catch {
    throw malformed('fastpath.update');
  }
}

/** Puts updates together that hosts send in pieces. */
export class UpdateAssembler extends DesktopUpdateAssembler {
  override add(update: DesktopUpdate): Buffer | null {
    const whole = super.add(update);
    return whole && bufferOf(whole);
  }
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length);

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
    header[3] = code | (updateFragments.indexOf(fragment) << 4);
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
