// Updates of a desktop's picture and pointer in fast-path frames of the host (MS-RDPBCGR 2.2.9.1.2).

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

/** How pieces of an update are marked, by their numbers. */
export const updateFragments = ['single', 'last', 'first', 'next'] as const;

/** A piece of an update, or all of it. */
export interface DesktopUpdate {
  code: number;
  fragment: (typeof updateFragments)[number];
  /** A view of the frame. */
  data: Uint8Array;
}

const compressed = 0x80;

/** Updates of a fast-path frame. Throws a RangeError for one with wrong lengths. */
export function readDesktopUpdates(frame: Uint8Array): DesktopUpdate[] {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  const updates: DesktopUpdate[] = [];
  for (let at = view.getUint8(1) < 0x80 ? 2 : 3; at < frame.length; ) {
    const header = view.getUint8(at);
    at += (header & 0xc0) === compressed ? 2 : 1;
    const length = view.getUint16(at, true);
    at += 2 + length;
    if (at > frame.length) throw new RangeError('an update longer than its frame');
    const fragment = updateFragments[(header >> 4) & 3]!;
    updates.push({ code: header & 0x0f, fragment, data: frame.subarray(at - length, at) });
  }
  return updates;
}

/** Bytes of an update that is put together. */
const maxAssembled = 16 * 1024 * 1024;

/** Puts updates together that hosts send in pieces. */
export class DesktopUpdateAssembler {
  /** More of an update is to come. */
  isInside = false;
  private pieces: Uint8Array[] = [];
  private length = 0;

  /** The update that is complete with this piece; null for one that is not, or that is too long. */
  add({ fragment, data }: DesktopUpdate): Uint8Array | null {
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
    return pieces.length === 1 ? pieces[0]! : joined(pieces, this.length);
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
