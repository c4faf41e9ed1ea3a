// Takes from bitmaps what is not shown of them. A host can send more columns and rows than it paints; xrdp fills each
// row up to a multiple of four pixels. IronRDP 0.7 takes the painted columns for the length of a row, so that such a
// picture is skewed (https://github.com/Devolutions/IronRDP/issues/1251).
import {
  type DesktopUpdate,
  DesktopUpdateAssembler,
  readDesktopUpdates,
  updateCodes,
  updateFragments,
} from '@yagura/core/greac/stream/desktop-updates';
import { type Bitmap, decodePlanes, rowLength } from './bitmap-rows.ts';

/** Bytes of an update in one frame, and of a bitmap whose length has 16 bits. */
const maxPiece = 16_000;
const maxBitmap = 0xffff;

const fields = ['left', 'top', 'right', 'bottom', 'width', 'height', 'bitsPerPixel', 'flags'] as const;
const headerLength = 2 * (fields.length + 1);
const flags = { compressed: 0x0001, noHeader: 0x0400 } as const;
const compressionHeaderLength = 8;
const bitmapUpdate = 1;

/** A bitmap, and where it is painted: right and bottom are the last column and row. */
type PaintedBitmap = Record<(typeof fields)[number], number> & Bitmap;

export class BitmapCrop {
  private readonly updates = new DesktopUpdateAssembler();

  /** The frames that the client gets instead of a frame of the host; none while an update is not complete. */
  apply(frame: Uint8Array): Uint8Array[] {
    return orUnchanged([frame], () => (frame[0] === tpkt ? changeSlow(frame) : this.change(frame)));
  }

  private change(frame: Uint8Array): Uint8Array[] {
    let isChanged = false;
    // Encoded only if anything is cropped: most frames are passed on without a copy.
    const parts: (() => Uint8Array[])[] = [];
    for (const update of readDesktopUpdates(frame)) {
      if (update.code !== updateCodes.bitmap) {
        parts.push(() => [encodeFrame(update)]);
        continue;
      }
      isChanged ||= update.fragment !== 'single';
      const whole = this.updates.add(update);
      if (!whole) continue;
      const cropped = orUnchanged(null, () => cropBitmaps(whole));
      isChanged ||= cropped !== null;
      parts.push(() => (cropped ?? [whole]).flatMap(encodeUpdate));
    }
    return isChanged ? parts.flatMap((encode) => encode()) : [frame];
  }
}

/** What cannot be read stays as it is: the RDP client judges it. */
function orUnchanged<T>(unchanged: T, change: () => T): T {
  try {
    return change();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return unchanged;
  }
}

const tpkt = 3;
const sendDataIndication = 0x68;
const shareData = { type: 0x17, update: 2, headerLength: 18 } as const;

/** Outside of the fast path, as xrdp sends what it has compressed (MS-RDPBCGR 2.2.9.1.1.3), an update is complete. */
function changeSlow(frame: Uint8Array): Uint8Array[] {
  const update = readSlowUpdate(new DataView(frame.buffer, frame.byteOffset, frame.length));
  return (update && cropBitmaps(update)?.flatMap(encodeUpdate)) ?? [frame];
}

/** Null for another message. */
function readSlowUpdate(view: DataView): Uint8Array | null {
  if (view.byteLength < 14 || view.getUint8(7) !== sendDataIndication) return null;
  const at = (view.getUint8(13) & 0x80) === 0 ? 14 : 15;
  const isUpdate =
    view.byteLength >= at + shareData.headerLength &&
    view.getUint16(at, true) === view.byteLength - at &&
    view.getUint16(at + 2, true) === shareData.type &&
    view.getUint8(at + 14) === shareData.update &&
    // Not compressed as a whole.
    view.getUint8(at + 15) === 0;
  if (!isUpdate) return null;
  const from = at + shareData.headerLength;
  return new Uint8Array(view.buffer, view.byteOffset + from, view.byteLength - from);
}

/** The same picture in updates without columns and rows that are not shown; null for one that has none. */
function cropBitmaps(update: Uint8Array): Uint8Array[] | null {
  const view = new DataView(update.buffer, update.byteOffset, update.length);
  if (view.getUint16(0, true) !== bitmapUpdate) return null;
  let isCropped = false;
  const bitmaps: PaintedBitmap[] = [];
  for (let count = view.getUint16(2, true), at = 4; count > 0; count -= 1) {
    const values = fields.map((field, index) => [field, view.getUint16(at + 2 * index, true)]);
    const length = view.getUint16(at + headerLength - 2, true);
    at += headerLength + length;
    if (at > update.length) throw new RangeError('a bitmap longer than its update');
    const bitmap = { ...Object.fromEntries(values), data: update.subarray(at - length, at) } as PaintedBitmap;
    const cropped = crop(bitmap);
    isCropped ||= cropped !== null;
    bitmaps.push(...(cropped ?? [bitmap]));
  }
  return isCropped ? bitmaps.map(encodeBitmap) : null;
}

/** Null for a bitmap that is shown as it is, or that is compressed in another way. */
function crop(bitmap: PaintedBitmap): PaintedBitmap[] | null {
  const { left, top, right, bottom, bitsPerPixel } = bitmap;
  const [width, height] = [right - left + 1, bottom - top + 1];
  const isSmaller = width < bitmap.width || height < bitmap.height;
  if (!isSmaller || width < 1 || height < 1 || width > bitmap.width || height > bitmap.height) return null;
  const pixels = decode(bitmap);
  if (!pixels) return null;
  const [from, to] = [rowLength(bitmap.width, bitsPerPixel), rowLength(width, bitsPerPixel)];
  if (pixels.length < from * bitmap.height) throw new RangeError('a bitmap that is too short');
  // Rows come from the bottom, and the upper ones are shown.
  const shown = pixels.subarray(from * (bitmap.height - height));
  const rowsAtOnce = Math.max(1, Math.floor(maxBitmap / to));
  const strips: PaintedBitmap[] = [];
  for (let row = 0; row < height; row += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, height - row);
    const data = new Uint8Array(rows * to);
    for (let index = 0; index < rows; index += 1)
      data.set(shown.subarray((row + index) * from, (row + index) * from + to), index * to);
    const place = { left, right, top: bottom - row - rows + 1, bottom: bottom - row };
    strips.push({ ...place, width, height: rows, bitsPerPixel, flags: 0, data });
  }
  return strips;
}

function decode(bitmap: PaintedBitmap): Uint8Array | null {
  if ((bitmap.flags & flags.compressed) === 0) return bitmap.data;
  if (bitmap.bitsPerPixel !== 32) return null;
  const hasHeader = (bitmap.flags & flags.noHeader) === 0;
  return decodePlanes({ ...bitmap, data: bitmap.data.subarray(hasHeader ? compressionHeaderLength : 0) });
}

/** An update of one bitmap. */
function encodeBitmap(bitmap: PaintedBitmap): Uint8Array {
  const bytes = new Uint8Array(4 + headerLength + bitmap.data.length);
  const values = [bitmapUpdate, 1, ...fields.map((field) => bitmap[field]), bitmap.data.length];
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) view.setUint16(2 * index, value, true);
  bytes.set(bitmap.data, 4 + headerLength);
  return bytes;
}

function encodeUpdate(whole: Uint8Array): Uint8Array[] {
  const code = updateCodes.bitmap;
  if (whole.length <= maxPiece) return [encodeFrame({ code, fragment: 'single', data: whole })];
  const frames: Uint8Array[] = [];
  for (let at = 0; at < whole.length; at += maxPiece) {
    const fragment = at === 0 ? 'first' : at + maxPiece < whole.length ? 'next' : 'last';
    frames.push(encodeFrame({ code, fragment, data: whole.subarray(at, at + maxPiece) }));
  }
  return frames;
}

/** A fast-path frame of one update; its length has two bytes, and so has that of the update. */
function encodeFrame({ code, fragment, data }: DesktopUpdate): Uint8Array {
  const frame = new Uint8Array(6 + data.length);
  frame[1] = 0x80 | (frame.length >> 8);
  frame[2] = frame.length & 0xff;
  frame[3] = code | (updateFragments.indexOf(fragment) << 4);
  new DataView(frame.buffer).setUint16(4, data.length, true);
  frame.set(data, 6);
  return frame;
}
