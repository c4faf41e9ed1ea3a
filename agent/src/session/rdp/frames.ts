// Splits a stream into frames (MS-RDPBCGR): TPKT, which begins with 3, or fast-path, with a length of one or two bytes.
import { malformed } from './byte-reader.ts';

/** Bytes of a fast-path frame; TPKT frames end at 64 KiB by their format. */
const maxTpkt = 0xffff;

export const isTpkt = (frame: Uint8Array) => frame[0] === 3;

export class FrameSplitter {
  private rest: Buffer = Buffer.alloc(0);
  private readonly maxFrame: number;

  constructor(maxFrame = maxTpkt) {
    this.maxFrame = maxFrame;
  }

  /** The frames that are complete with these bytes. Throws for what is no frame. */
  add(bytes: Uint8Array): Buffer[] {
    let rest = this.rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.rest, bytes]);
    const frames: Buffer[] = [];
    for (let total = frameLength(rest); total !== null && total <= rest.length; total = frameLength(rest)) {
      if (total > this.maxFrame) break;
      frames.push(rest.subarray(0, total));
      rest = rest.subarray(total);
    }
    const next = frameLength(rest);
    if (next !== null && next > this.maxFrame) throw malformed('frame.length');
    this.rest = rest;
    return frames;
  }
}

/** Null while the header is not complete. */
function frameLength(bytes: Buffer): number | null {
  const [first, second, third, fourth] = bytes;
  if (first === undefined || second === undefined) return null;
  if (first === 3) {
    if (third === undefined || fourth === undefined) return null;
    const length = (third << 8) | fourth;
    if (length < 7) throw malformed('tpkt.length');
    return length;
  }
  if ((first & 3) !== 0) throw malformed('frame.action');
  if (second < 0x80) {
    if (second < 2) throw malformed('fastpath.length');
    return second;
  }
  if (third === undefined) return null;
  const length = ((second & 0x7f) << 8) | third;
  if (length < 3) throw malformed('fastpath.length');
  return length;
}
