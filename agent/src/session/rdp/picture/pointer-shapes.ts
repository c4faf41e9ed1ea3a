// The pointer of a desktop as it is: hosts send a shape once and later name it by its number (MS-RDPBCGR 2.2.9.1.1.4).
import { updateCodes } from '@yagura/core/greac/stream/desktop-updates';
import { encodeUpdate } from '../fast-path.ts';

/** As many as clients offer to keep. */
const maxShapes = 32;

interface Update {
  code: number;
  data: Buffer;
}

export class PointerShapes {
  /** By their numbers, the last one sent last. */
  private readonly shapes = new Map<number, Update>();
  private current: Update | undefined;

  /** Takes any update. Pointers that are too short to have a number are left to the client. */
  add(code: number, data: Buffer): void {
    switch (code) {
      // The depth comes before the number.
      case updateCodes.newPointer:
      case updateCodes.largePointer:
        if (data.length >= 4) this.keep(data.readUInt16LE(2), { code, data });
        return;
      case updateCodes.colorPointer:
        if (data.length >= 2) this.keep(data.readUInt16LE(0), { code, data });
        return;
      case updateCodes.cachedPointer:
      case updateCodes.pointerHidden:
      case updateCodes.pointerDefault:
        this.current = { code, data: Buffer.from(data) };
    }
  }

  /** For a client that begins. */
  get frames(): Buffer[] {
    const updates = [...this.shapes.values(), ...(this.current ? [this.current] : [])];
    return updates.flatMap(({ code, data }) => encodeUpdate(code, data));
  }

  private keep(number: number, shape: Update): void {
    this.shapes.delete(number);
    this.shapes.set(number, { code: shape.code, data: Buffer.from(shape.data) });
    if (this.shapes.size > maxShapes) this.shapes.delete(this.shapes.keys().next().value!);
    const shown = Buffer.alloc(2);
    shown.writeUInt16LE(number);
    this.current = { code: updateCodes.cachedPointer, data: shown };
  }
}
