// The pointer of a desktop, from the frames of the host (MS-RDPBCGR 2.2.9.1.1.4). The RDP client leaves pointers out:
// IronRDP 0.7 was built without them (https://github.com/Devolutions/IronRDP/issues/1900).
import {
  DesktopUpdateAssembler,
  readDesktopUpdates,
  updateCodes,
} from '@yagura/core/greac/stream/desktop-updates';

export interface PointerShape {
  /** In pixels. */
  width: number;
  height: number;
  /** The pixel that points. */
  x: number;
  y: number;
  /** Rows from the top; red, green, blue and opacity of each pixel. */
  pixels: Uint8ClampedArray<ArrayBuffer>;
}

export type Pointer = PointerShape | 'default' | 'hidden';

const shapes = new Set<number>([updateCodes.newPointer, updateCodes.colorPointer, updateCodes.largePointer]);
const codes = new Set<number>([
  ...shapes,
  ...[updateCodes.cachedPointer, updateCodes.pointerHidden, updateCodes.pointerDefault],
]);
/** As many as clients offer to keep. */
const maxKept = 32;
/** Pixels of a side (MS-RDPBCGR 2.2.9.1.2.1.11). */
const maxSide = 384;
const depths = [1, 16, 24, 32];

export class PointerUpdates {
  private readonly kept = new Map<number, Pointer>();
  private readonly updates = new DesktopUpdateAssembler();

  /** The pointer after a frame; null if the frame is not about it. */
  read(frame: Uint8Array): Pointer | null {
    // Outside of the fast path, hosts send no shapes.
    if ((frame[0]! & 3) !== 0) return null;
    let pointer: Pointer | null = null;
    try {
      for (const update of readDesktopUpdates(frame)) {
        const data = codes.has(update.code) ? this.updates.add(update) : null;
        if (data) pointer = this.change(update.code, data) ?? pointer;
      }
    } catch (error) {
      // The RDP client judges frames.
      if (!(error instanceof RangeError)) throw error;
    }
    return pointer;
  }

  private change(code: number, data: Uint8Array): Pointer | null {
    if (code === updateCodes.pointerHidden) return 'hidden';
    if (code === updateCodes.pointerDefault) return 'default';
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    if (code === updateCodes.cachedPointer) return this.kept.get(view.getUint16(0, true)) ?? null;
    const at = code === updateCodes.colorPointer ? 0 : 2;
    const depth = at === 0 ? 24 : view.getUint16(0, true);
    const pointer = readShape(view, at, depth, code === updateCodes.largePointer) ?? 'default';
    const number = view.getUint16(at, true);
    this.kept.delete(number);
    this.kept.set(number, pointer);
    if (this.kept.size > maxKept) this.kept.delete(this.kept.keys().next().value!);
    return pointer;
  }
}

/** Null for a depth with a palette, which nobody sends, and for what is too large. Throws a RangeError if it is cut. */
function readShape(view: DataView, at: number, depth: number, isLarge: boolean): PointerShape | null {
  const [x, y, width, height] = [2, 4, 6, 8].map((field) => view.getUint16(at + field, true)) as [
    number,
    number,
    number,
    number,
  ];
  if (!depths.includes(depth) || width > maxSide || height > maxSide || width * height === 0) return null;
  const lengthOf = (field: number) =>
    isLarge ? view.getUint32(at + 10 + 2 * field, true) : view.getUint16(at + 10 + field, true);
  const [maskLength, colorLength] = [lengthOf(0), lengthOf(2)];
  const colors = at + (isLarge ? 18 : 14);
  // The mask comes after the colors; a pointer with its own opacity may have none.
  const mask = maskLength === 0 ? null : colors + colorLength;
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let row = 0; row < height; row += 1) {
    // Only pointers of one bit begin at the top.
    const line = depth === 1 ? row : height - 1 - row;
    const colorLine = colors + line * strideOf(width * depth);
    const maskLine = mask === null ? null : mask + line * strideOf(width);
    for (let column = 0; column < width; column += 1) {
      const color = readColor(view, colorLine, column, depth);
      const isMasked = maskLine !== null && bitAt(view, maskLine, column);
      pixels.set(isMasked ? maskedColor(color, row + column) : color, 4 * (row * width + column));
    }
  }
  return { width, height, x: Math.min(x, width - 1), y: Math.min(y, height - 1), pixels };
}

type Color = [red: number, green: number, blue: number, opacity: number];

const opaque = 255;
const transparent: Color = [0, 0, 0, 0];
const black: Color = [0, 0, 0, opaque];
const white: Color = [opaque, opaque, opaque, opaque];

/** A masked pixel is transparent if it is black. A white one inverts what is below: a pattern shows on all colors. */
function maskedColor(color: Color, place: number): Color {
  const [red, green, blue] = color;
  if (red + green + blue === 0) return transparent;
  if (red + green + blue < 3 * opaque) return color;
  return place % 2 === 0 ? white : black;
}

/** Bytes of a row, which has a whole number of 16 bits. */
const strideOf = (bits: number) => 2 * Math.ceil(bits / 16);

const bitAt = (view: DataView, line: number, column: number) =>
  ((view.getUint8(line + (column >> 3)) >> (7 - (column & 7))) & 1) === 1;

function readColor(view: DataView, line: number, column: number, depth: number): Color {
  if (depth === 1) return bitAt(view, line, column) ? white : black;
  if (depth === 16) {
    const value = view.getUint16(line + 2 * column, true);
    const scale = (bits: number, max: number) => Math.round((bits * 255) / max);
    return [scale(value >> 11, 31), scale((value >> 5) & 63, 63), scale(value & 31, 31), opaque];
  }
  const at = line + (depth / 8) * column;
  const [blue, green, red] = [view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2)];
  return [red, green, blue, depth === 32 ? view.getUint8(at + 3) : opaque];
}
