// Pointers of hosts: shapes as xrdp 0.9.21 sent them, the other depths, and what is no pointer.
import { inflateSync } from 'node:zlib';
import { updateCodes } from '@yagura/core/greac/stream/desktop-updates';
import { expect, test } from 'vitest';
import { type Pointer, PointerUpdates } from './pointer-updates.ts';

/** New pointers of 24 bits, compressed. */
const captured = {
  arrow: [
    'eNqTYIAABSBsYGDgYRgFo2AUjIKRBP6DAe0MR2MMIfOpbjiaObQwH9NMKoYMxChkkhbm0y5aMU37jwqobj4xUpSbT6P0Sbv4pYXh',
    'ePIXLcwfEgUOnvw75KoSmroca2lAFPhX////H3sI/gFkVwCxAVBcAIgZQQ6WB2KgHANQnAEqxgzE7EDMD8RA6f9A6f/1ILUAdRv6',
    'aQ==',
  ].join(''),
  beam: [
    'eNqTYGABQg4GBSBsYGDgYRgFo2AUjIJRMCJBAxLC5FLF/P8wgMamrvuRTaai+5FtgRtOo4igYrCMmj9q/hAyn3b5i9blA93KNxqV',
    'z/8pBBz1//8zQPFBIP8xAQxSA1MP1gsAofLm2w==',
  ].join(''),
};
const dataOf = (name: keyof typeof captured) => inflateSync(Buffer.from(captured[name], 'base64'));

const frame = (code: number, data: Uint8Array, fragment = 0) => {
  const header = Buffer.from([0, 0, 0, code | (fragment << 4), 0, 0]);
  header.writeUInt16BE(0x8000 | (6 + data.length), 1);
  header.writeUInt16LE(data.length, 4);
  return Buffer.concat([header, data]);
};
const words = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);

/** Opaque pixels by their lightness, and dots for the others. */
function drawn(pointer: Pointer | null): string[] {
  if (pointer === null || typeof pointer === 'string') return [String(pointer)];
  const { width, height, pixels } = pointer;
  const pixel = (at: number) => (pixels[at + 3] === 0 ? '.' : pixels[at]! > 127 ? 'o' : '#');
  const rows = Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, column) => pixel(4 * (row * width + column))).join(''),
  );
  return rows.map((row) => row.replace(/\.+$/, '')).filter((row) => row !== '');
}

test('pointers of xrdp are drawn upright', () => {
  const pointers = new PointerUpdates();
  const arrow = pointers.read(frame(updateCodes.newPointer, dataOf('arrow')));
  expect(arrow).toMatchObject({ width: 32, height: 32, x: 0, y: 0 });
  expect(drawn(arrow)).toEqual([
    'o',
    'oo',
    'o#o',
    'o##o',
    'o###o',
    'o####o',
    'o#####o',
    'o######o',
    'o#######o',
    'o########o',
    'o#####ooooo',
    'o##o##o',
    'o#o.o##o',
    'oo..o##o',
    'o....o##o',
    '.....o##o',
    '......o##o',
    '......o##o',
    '.......oo',
  ]);
  const beam = pointers.read(frame(updateCodes.newPointer, dataOf('beam')));
  expect(beam).toMatchObject({ x: 4, y: 8 });
  expect(drawn(beam).slice(0, 4)).toEqual(['####.####', '#ooo#ooo#', '###ooo###', '..##o##']);
  // The host names shapes by their numbers later.
  expect(pointers.read(frame(updateCodes.cachedPointer, words(0)))).toBe(arrow);
});

test('a pointer in pieces is put together, and a color pointer has 24 bits', () => {
  const pointers = new PointerUpdates();
  const data = dataOf('arrow').subarray(2);
  expect(pointers.read(frame(updateCodes.colorPointer, data.subarray(0, 1000), 2))).toBeNull();
  expect(pointers.read(frame(updateCodes.bitmap, words(1, 0)))).toBeNull();
  const whole = pointers.read(frame(updateCodes.colorPointer, data.subarray(1000), 1));
  expect(drawn(whole).slice(0, 3)).toEqual(['o', 'oo', 'o#o']);
});

/** A new pointer of three columns and two rows, its colors before its mask. */
const small = (depth: number, colors: Buffer, mask: Buffer) =>
  Buffer.concat([words(depth, 7, 9, 1, 3, 2, mask.length, colors.length), colors, mask]);
const mask = Buffer.from([0b10100000, 0, 0b01000000, 0]);

test.each([
  // Only this depth begins at the top.
  [1, Buffer.from([0b01000000, 0, 0b00100000, 0]), ['.o', '#.o']],
  [16, words(0, 0xffff, 0, 0xffff, 0, 0xffff), ['o.o', '.o']],
  // A row of nine bytes takes ten.
  [24, Buffer.from('000000ffffff00000000ffffff000000ffffff00', 'hex'), ['o.o', '.o']],
])('a pointer of %i bits', (depth, colors, expected) => {
  const pointer = new PointerUpdates().read(frame(updateCodes.newPointer, small(depth, colors, mask)));
  expect(drawn(pointer)).toEqual(expected);
  // What points lies within the picture, as browsers demand.
  expect(pointer).toMatchObject({ x: 2, y: 1 });
});

test('a pointer with its own opacity needs no mask, and one that inverts shows a pattern', () => {
  const bytes = [0, 0, 255, 128, 0, 0, 0, 0, 255, 255, 255, 255];
  const colors = Buffer.from([...bytes, ...bytes]);
  const pointer = new PointerUpdates().read(
    frame(updateCodes.newPointer, small(32, colors, Buffer.alloc(0))),
  );
  expect(Array.from((pointer as { pixels: Uint8ClampedArray }).pixels.subarray(0, 8))).toEqual([
    ...[255, 0, 0, 128, 0, 0, 0, 0],
  ]);
  const all = Buffer.from([0b11100000, 0, 0b11100000, 0]);
  const inverting = new PointerUpdates().read(
    frame(updateCodes.newPointer, small(1, Buffer.from([0b11100000, 0, 0b11100000, 0]), all)),
  );
  expect(drawn(inverting)).toEqual(['o#o', '#o#']);
});

test('what is hidden, unknown, cut or no pointer', () => {
  const pointers = new PointerUpdates();
  const read = (code: number, data: Buffer) => drawn(pointers.read(frame(code, data)))[0];
  expect({
    hidden: read(updateCodes.pointerHidden, Buffer.alloc(0)),
    usual: read(updateCodes.pointerDefault, Buffer.alloc(0)),
    palette: read(updateCodes.newPointer, small(8, Buffer.alloc(8), mask)),
    tooLarge: read(updateCodes.newPointer, words(24, 1, 0, 0, 385, 1, 0, 0)),
    unknown: read(updateCodes.cachedPointer, words(31)),
    cut: read(updateCodes.newPointer, dataOf('arrow').subarray(0, 3000)),
    slowPath: drawn(pointers.read(Buffer.from([3, 0, 0, 7, 2, 0xf0, 0x80])))[0],
    broken: drawn(pointers.read(Buffer.from([0, 6, 11, 9, 0, 0])))[0],
  }).toEqual({
    ...{ hidden: 'hidden', usual: 'default', palette: 'default', tooLarge: 'default' },
    ...{ unknown: 'null', cut: 'null', slowPath: 'null', broken: 'null' },
  });
});

test('as many shapes are kept as clients offer to keep', () => {
  const pointers = new PointerUpdates();
  const shape = (number: number) => {
    const data = small(1, mask, mask);
    data.writeUInt16LE(number, 2);
    return frame(updateCodes.newPointer, data);
  };
  for (let number = 0; number <= 32; number += 1) pointers.read(shape(number));
  const isKept = (number: number) => pointers.read(frame(updateCodes.cachedPointer, words(number))) !== null;
  expect([0, 1, 32].map(isKept)).toEqual([false, true, true]);
});
