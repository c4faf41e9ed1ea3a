// Bitmaps with columns and rows that are not shown, as xrdp and others send them, and what has to stay as it is.
import { updateCodes } from '@yagura/core/greac/stream/desktop-updates';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BitmapCrop } from './bitmap-crop.ts';
import { DesktopSocket } from './desktop-socket.ts';

const words = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
const frameOf = (code: number, data: Uint8Array, fragment = 0) => {
  const header = Buffer.from([0, 0, 0, code | (fragment << 4), 0, 0]);
  header.writeUInt16BE(0x8000 | (6 + data.length), 1);
  header.writeUInt16LE(data.length, 4);
  return Buffer.concat([header, data]);
};

interface Sent {
  place: [left: number, top: number, right: number, bottom: number];
  size: [width: number, height: number];
  depth?: number;
  flags?: number;
  data: Uint8Array;
}

const bitmap = ({ place, size, depth = 32, flags = 0, data }: Sent) =>
  Buffer.concat([words(...place, ...size, depth, flags, data.length), data]);
const update = (...bitmaps: Sent[]) => Buffer.concat([words(1, bitmaps.length), ...bitmaps.map(bitmap)]);
const compressed = { planes: 0x0401, withHeader: 0x0001 };

/** Puts the pieces of the frames together, and reads each bitmap of the updates. */
function readBitmaps(frames: Uint8Array[]): Sent[] {
  const read: Sent[] = [];
  let pieces: Uint8Array[] = [];
  for (const frame of frames.map((bytes) => Buffer.from(bytes))) {
    expect(frame.readUInt16BE(1) & 0x7fff).toBe(frame.length);
    expect(frame.readUInt16LE(4)).toBe(frame.length - 6);
    pieces.push(frame.subarray(6));
    if (frame[3]! >> 4 >= 2) continue;
    const data = Buffer.concat(pieces);
    pieces = [];
    let at = 4;
    for (let count = data.readUInt16LE(2); count > 0; count -= 1) {
      const [left, top, right, bottom, width, height, depth, flags, length] = Array.from(
        { length: 9 },
        (_, index) => data.readUInt16LE(at + 2 * index),
      ) as [number, number, number, number, number, number, number, number, number];
      at += 18 + length;
      const pixels = data.subarray(at - length, at);
      read.push({
        place: [left, top, right, bottom],
        size: [width, height],
        depth,
        flags,
        data: Uint8Array.from(pixels),
      });
    }
    expect(at).toBe(data.length);
  }
  return read;
}

const crop = (...frames: Uint8Array[]) => {
  const cropping = new BitmapCrop();
  return readBitmaps(frames.flatMap((frame) => cropping.apply(frame)));
};
/** Blue, green, red and an unused byte of each pixel. */
const pixels = (...values: number[]) =>
  Uint8Array.from(values.flatMap((value) => [value, value + 1, value + 2, 0]));

test('columns that fill a row up are left out, and so are rows that are not shown', () => {
  const data = pixels(...[10, 20, 30, 0], ...[40, 50, 60, 0], ...[70, 80, 90, 0]);
  const frame = frameOf(updateCodes.bitmap, update({ place: [5, 7, 7, 8], size: [4, 3], data }));
  // Rows come from the bottom.
  expect(crop(frame)).toEqual([
    { place: [5, 7, 7, 8], size: [3, 2], depth: 32, flags: 0, data: pixels(40, 50, 60, 70, 80, 90) },
  ]);
});

test('rows of two bytes for each pixel stay filled up to four bytes', () => {
  const data = Uint8Array.from([1, 1, 2, 2, 3, 3, 0, 0, 4, 4, 5, 5, 6, 6, 0, 0]);
  const sent: Sent = { place: [0, 0, 0, 1], size: [4, 2], depth: 16, data };
  expect(crop(frameOf(updateCodes.bitmap, update(sent)))).toEqual([
    { ...sent, size: [1, 2], flags: 0, data: Uint8Array.from([1, 1, 2, 2, 4, 4, 5, 5]) },
  ]);
});

test.each([
  ['runs', [0x30, ...plane(), ...plane(), ...plane()]],
  ['pixels', [0x20, ...raw(), ...raw(), ...raw(), 0]],
  ['an opacity', [0x10, ...plane(), ...plane(), ...plane(), ...plane()]],
])('planes of %s are cropped', (_what, bytes) => {
  const data = Uint8Array.from(bytes);
  const frame = (flags: number, sent: Uint8Array) =>
    frameOf(updateCodes.bitmap, update({ place: [0, 0, 2, 1], size: [4, 2], flags, data: sent }));
  const shown = Uint8Array.from([7, 7, 7, 8, 5, 7].flatMap((value) => [value, value, value, 0]));
  const expected = [{ place: [0, 0, 2, 1], size: [3, 2], depth: 32, flags: 0, data: shown }];
  expect(crop(frame(compressed.planes, data))).toEqual(expected);
  const header = new Uint8Array(8);
  expect(crop(frame(compressed.withHeader, Buffer.concat([header, data])))).toEqual(expected);
});

/** The rows 7 7 7 0 and 8 5 7 0. */
function plane(): number[] {
  // Values in several pieces; then the differences +1, -2, 0 and 0.
  return [...[0x10, 7, 0x20, 7, 7, 0x10, 0], ...[0x40, 2, 3, 0, 0]];
}

function raw(): number[] {
  return [7, 7, 7, 0, 8, 5, 7, 0];
}

test('long runs go on with the last value', () => {
  // 34 columns: one value and 33 times the same (2 and 1), then a row of the same values (2 and 2).
  const one = [...[0x10, 9, 0x12], 0x22];
  const data = Uint8Array.from([0x30, ...one, ...one, ...one]);
  const frame = frameOf(
    updateCodes.bitmap,
    update({ place: [0, 0, 32, 1], size: [34, 2], flags: compressed.planes, data }),
  );
  const [shown] = crop(frame);
  expect(shown!.data).toEqual(Uint8Array.from(Array.from({ length: 66 }, () => [9, 9, 9, 0]).flat()));
});

test('a large bitmap is painted in strips that fit into an update, from the bottom', () => {
  const [width, height] = [1366, 20];
  const planes = Uint8Array.from([0x30, ...longPlane(height), ...longPlane(height), ...longPlane(height)]);
  const sent: Sent = {
    ...{ place: [0, 100, width - 1, 100 + height - 1], size: [1368, height] },
    ...{ flags: compressed.planes, data: planes },
  };
  const strips = crop(frameOf(updateCodes.bitmap, update(sent)));
  expect(strips.map(({ place, size }) => [...place, ...size])).toEqual([
    [0, 109, 1365, 119, 1366, 11],
    [0, 100, 1365, 108, 1366, 9],
  ]);
  const values = strips.flatMap(({ data: strip, size: [, count] }) =>
    Array.from({ length: count }, (_, row) => strip[row * 1366 * 4]),
  );
  expect(values).toEqual(Array.from({ length: height }, (_, row) => row + 1));
});

/** 1368 columns of 1, then rows that are one more each. */
function longPlane(height: number): number[] {
  // One raw value and 1367 of the same: 29 times 47, and 4.
  const rest = [...Array(29).fill(0xf2), 0x04];
  return Array.from({ length: height }, (_, row) => [0x10, row === 0 ? 1 : 2, ...rest]).flat();
}

test('an update in pieces is cropped when it is complete', () => {
  const data = pixels(1, 2, 3, 0);
  const whole = update({ place: [0, 0, 2, 0], size: [4, 1], data });
  const pieces = [
    frameOf(updateCodes.bitmap, whole.subarray(0, 9), 2),
    frameOf(updateCodes.bitmap, whole.subarray(9, 20), 3),
    frameOf(updateCodes.bitmap, whole.subarray(20), 1),
  ];
  const cropping = new BitmapCrop();
  expect(cropping.apply(pieces[0]!)).toEqual([]);
  expect(cropping.apply(pieces[1]!)).toEqual([]);
  expect(readBitmaps(cropping.apply(pieces[2]!))).toMatchObject([{ size: [3, 1], data: pixels(1, 2, 3) }]);
});

/** As xrdp sends it: TPKT, X.224, MCS with a length of two bytes, share control and share data. */
function slowFrameOf(data: Uint8Array, { kind = 2, compression = 0 } = {}): Buffer {
  const share = Buffer.concat([words(18 + data.length, 0x17, 1003), Buffer.alloc(12), data]);
  share[14] = kind;
  share[15] = compression;
  const frame = Buffer.concat([
    Buffer.from([3, 0, 0, 0, 2, 0xf0, 0x80, 0x68, 0, 1, 3, 0xeb, 0x70, 0, 0]),
    share,
  ]);
  frame.writeUInt16BE(frame.length, 2);
  frame.writeUInt16BE(0x8000 | share.length, 13);
  return frame;
}

const padded = update({ place: [0, 0, 2, 0], size: [4, 1], data: pixels(1, 2, 3, 0) });

test('an update outside of the fast path is cropped as well', () => {
  expect(crop(slowFrameOf(padded))).toMatchObject([{ size: [3, 1], data: pixels(1, 2, 3) }]);
});

test('the client gets the cropped bitmaps', async () => {
  // Node.js 20 has none.
  vi.stubGlobal('WebSocket', { CONNECTING: 0, OPEN: 1, CLOSED: 3 });
  onTestFinished(() => void vi.unstubAllGlobals());
  const socket = new DesktopSocket(
    () => undefined,
    () => undefined,
  );
  const messages: Uint8Array[] = [];
  socket.addEventListener('message', (event) => {
    messages.push(new Uint8Array((event as MessageEvent<ArrayBuffer>).data));
  });
  socket.open();
  await Promise.resolve();
  // The first message has an answer of its own.
  socket.send(new Uint8Array(1));
  socket.receive(frameOf(updateCodes.bitmap, padded));
  await expect.poll(() => messages.length).toBe(2);
  expect(readBitmaps(messages.slice(1))).toMatchObject([{ size: [3, 1], data: pixels(1, 2, 3) }]);
});

test('other updates of the frame keep their places', () => {
  const marker = frameOf(updateCodes.surface, Buffer.from([4, 0, 0, 0, 1, 0, 0, 0]));
  const data = pixels(1, 2, 3, 0);
  const painted = frameOf(updateCodes.bitmap, update({ place: [0, 0, 2, 0], size: [4, 1], data }));
  const both = Buffer.concat([marker, painted.subarray(3)]);
  both.writeUInt16BE(0x8000 | both.length, 1);
  const [first, second] = new BitmapCrop().apply(both);
  expect(Buffer.from(first!)).toEqual(marker);
  expect(readBitmaps([second!])).toMatchObject([{ size: [3, 1] }]);
});

const shownAsIs: Sent = { place: [0, 0, 3, 0], size: [4, 1], data: pixels(1, 2, 3, 4) };
test.each([
  ['a bitmap that is shown as it is', frameOf(updateCodes.bitmap, update(shownAsIs))],
  [
    'a bitmap smaller than its place',
    frameOf(updateCodes.bitmap, update({ ...shownAsIs, place: [0, 0, 9, 0] })),
  ],
  [
    'reduced colors',
    frameOf(
      updateCodes.bitmap,
      update({ ...shownAsIs, place: [0, 0, 2, 0], flags: 0x0401, data: Uint8Array.of(0x32, 0) }),
    ),
  ],
  [
    'planes that are cut',
    frameOf(
      updateCodes.bitmap,
      update({ ...shownAsIs, place: [0, 0, 2, 0], flags: 0x0401, data: Uint8Array.of(0x30, 0x40) }),
    ),
  ],
  [
    'pixels that are cut',
    frameOf(updateCodes.bitmap, update({ ...shownAsIs, place: [0, 0, 2, 0], data: pixels(1) })),
  ],
  ['a bitmap longer than its update', frameOf(updateCodes.bitmap, update(shownAsIs).subarray(0, 30))],
  ['another update', frameOf(updateCodes.surface, Buffer.from([4, 0, 0, 0, 1, 0, 0, 0]))],
  ['a message that is no update', slowFrameOf(padded, { kind: 0x1b })],
  ['an update that is compressed as a whole', slowFrameOf(padded, { compression: 0x20 })],
  ['a message without data', Buffer.from([3, 0, 0, 7, 1, 2, 3])],
])('%s stays', (_what, frame) => {
  const [first, ...more] = new BitmapCrop().apply(frame);
  expect(first).toBe(frame);
  expect(more).toEqual([]);
});

test('an update in several frames that cannot be read stays whole', () => {
  const broken: Sent = {
    place: [0, 0, 2, 1],
    size: [4, 2],
    flags: compressed.planes,
    data: Uint8Array.of(48),
  };
  const whole = update(broken);
  const [first, last] = [2, 1];
  const cropping = new BitmapCrop();
  const sent = [
    ...cropping.apply(frameOf(updateCodes.bitmap, whole.subarray(0, 10), first)),
    ...cropping.apply(frameOf(updateCodes.bitmap, whole.subarray(10), last)),
  ];
  expect(Buffer.concat(sent.map((bytes) => bytes.subarray(6)))).toEqual(whole);
});
