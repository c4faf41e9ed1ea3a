// Splits the stream of a desktop into frames (MS-RDPBCGR): TPKT, which begins with 3, or fast-path, with a length of
// one or two bytes.

export class DesktopFrames {
  private rest: Uint8Array = new Uint8Array(0);

  /** The frames that are complete with these bytes. Throws a RangeError for what is no frame. */
  add(bytes: Uint8Array): Uint8Array[] {
    let rest = bytes.slice();
    if (this.rest.length > 0) {
      rest = new Uint8Array(this.rest.length + bytes.length);
      rest.set(this.rest);
      rest.set(bytes, this.rest.length);
    }
    const frames: Uint8Array[] = [];
    for (
      let length = frameLength(rest);
      length !== null && length <= rest.length;
      length = frameLength(rest)
    ) {
      frames.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    this.rest = rest;
    return frames;
  }
}

/** Null while the header is not complete. No frame is longer than 64 KiB. */
function frameLength(bytes: Uint8Array): number | null {
  const [first, second, third, fourth] = bytes;
  if (first === undefined || second === undefined) return null;
  if (first === 3) {
    if (third === undefined || fourth === undefined) return null;
    return atLeast(7, (third << 8) | fourth);
  }
  if ((first & 3) !== 0) throw new RangeError('neither TPKT nor fast-path');
  if (second < 0x80) return atLeast(2, second);
  return third === undefined ? null : atLeast(3, ((second & 0x7f) << 8) | third);
}

function atLeast(least: number, length: number): number {
  if (length < least) throw new RangeError('a frame shorter than its header');
  return length;
}

/** Whether the update of a fast-path frame goes on in the next frame. */
export function continuesInNextFrame(frame: Uint8Array): boolean {
  const [first, second = 0] = frame;
  const fragment = ((frame[second < 0x80 ? 2 : 3] ?? 0) >> 4) & 3;
  return first !== 3 && fragment >= 2;
}
