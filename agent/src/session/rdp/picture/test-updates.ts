// Updates as hosts send them, for tests: headers that are right, and no pictures.
import type { Rectangle } from './painted-area.ts';

/** Numbers of 16 bits. */
export function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, 2 * index);
  return bytes;
}

export const corners = (left: number, top: number, right: number, bottom: number) =>
  words(left, top, right, bottom);

/** Bitmaps at places whose right and bottom are inside. */
export function bitmaps(...places: Buffer[]): Buffer {
  const one = (at: Buffer) => Buffer.concat([at, words(1, 1, 32, 0, 4), Buffer.alloc(4)]);
  return Buffer.concat([words(1, places.length), ...places.map(one)]);
}

/** A surface command; without a codec, its data are the pixels. */
export function pixels(
  { left, top, right, bottom }: Rectangle,
  { codec = 0, data = Buffer.alloc(4) } = {},
): Buffer {
  const header = Buffer.from([32, 0, 0, codec]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([words(1), corners(left, top, right, bottom), header, words(1, 1), length, data]);
}

/** A surface command with RemoteFX; rectangles are left, top, width and height, and tiles column and row. */
export function remoteFx(place: Rectangle, rectangles: readonly Buffer[], tiles: readonly Buffer[]): Buffer {
  const block = (type: number, ...content: Buffer[]) => {
    const body = Buffer.concat(content);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(6 + body.length);
    return Buffer.concat([words(type), length, body]);
  };
  const region = block(0xccc6, Buffer.from([1, 0, 1]), words(rectangles.length), ...rectangles, words(1, 1));
  const quantity = Buffer.alloc(5);
  const tileBlocks = tiles.map((at) => block(0xcac3, Buffer.alloc(3), at, words(1, 0, 0), Buffer.alloc(1)));
  const head = [Buffer.from([1, 0]), words(0xcac2, 0, 0), Buffer.from([1, 64]), words(tiles.length)];
  const set = block(0xccc7, ...head, Buffer.alloc(4), quantity, ...tileBlocks);
  const data = Buffer.concat([block(0xccc4, Buffer.alloc(8)), region, set, block(0xccc5, words(1))]);
  return pixels(place, { codec: 3, data });
}
