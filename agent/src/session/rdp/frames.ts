// Frames of a desktop as buffers, with the error of this gateway.
import { DesktopFrames } from '@yagura/core/greac/stream/desktop-frames';
import { malformed } from './byte-reader.ts';

export const isTpkt = (frame: Uint8Array) => frame[0] === 3;

export class FrameSplitter {
  private readonly frames = new DesktopFrames();

  /** The frames that are complete with these bytes. */
  add(bytes: Uint8Array): Buffer[] {
    try {
      return this.frames
        .add(bytes)
        .map(({ buffer, byteOffset, length }) => Buffer.from(buffer, byteOffset, length));
    } catch {
      throw malformed('frame');
    }
  }
}
