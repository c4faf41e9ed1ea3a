// Key frames: what paints the screen, when the host is asked to, and the pointer at that moment.
import { updateCodes } from '@yagura/core/greac/stream/desktop-updates';
import { describe, expect, it, test } from 'vitest';
import { readUpdates } from '../fast-path.ts';
import { KeyFrames } from './key-frames.ts';
import { paintedBy } from './painted-area.ts';
import { PointerShapes } from './pointer-shapes.ts';
import { bitmaps, corners, pixels, remoteFx, words } from './test-updates.ts';

const place = { left: 100, top: 50, right: 300, bottom: 250 };
const clips = (count: number) => new Array<Buffer>(count).fill(words(0, 0, 10, 10));
const tiles = (count: number) => new Array<Buffer>(count).fill(words(0, 0));

describe('an update paints', () => {
  it('the rectangles of its bitmaps, whose last column and row are inside', () => {
    const data = bitmaps(corners(0, 0, 63, 63), corners(64, 0, 99, 9));
    expect(paintedBy(updateCodes.bitmap, data)).toEqual([
      { left: 0, top: 0, right: 64, bottom: 64 },
      { left: 64, top: 0, right: 100, bottom: 10 },
    ]);
  });

  it('the place of uncompressed pixels, whatever stands around them', () => {
    const marker = Buffer.concat([words(4, 0), Buffer.alloc(4)]);
    const data = Buffer.concat([marker, pixels(place), marker]);
    expect(paintedBy(updateCodes.surface, data)).toEqual([place]);
  });

  it('the tiles of RemoteFX as far as they lie in its rectangles', () => {
    const tiles = [words(0, 0), words(2, 1)];
    const clips = [words(10, 20, 30, 100)];
    expect(paintedBy(updateCodes.surface, remoteFx(place, clips, tiles))).toEqual([
      { left: 110, top: 70, right: 140, bottom: 114 },
    ]);
    expect(paintedBy(updateCodes.surface, remoteFx(place, [], tiles))).toEqual([
      { left: 100, top: 50, right: 164, bottom: 114 },
      { left: 228, top: 114, right: 292, bottom: 178 },
    ]);
  });

  it('nothing if it is a pointer, in a codec that is not known, or a command that is not known', () => {
    expect(paintedBy(updateCodes.newPointer, Buffer.alloc(3))).toEqual([]);
    expect(paintedBy(updateCodes.surface, pixels(place, { codec: 1 }))).toEqual([]);
    expect(paintedBy(updateCodes.surface, words(99, 1, 2))).toEqual([]);
    // A palette, which has the number of bitmaps outside of the fast path.
    expect(paintedBy(updateCodes.bitmap, words(2, 0, 0, 0))).toEqual([]);
  });

  it('nothing that is longer than it says', () => {
    const cut = (data: Buffer) => () => paintedBy(updateCodes.surface, data.subarray(0, -1));
    expect(cut(pixels(place))).toThrow('PROTOCOL');
    expect(cut(remoteFx(place, [], [words(0, 0)]))).toThrow('PROTOCOL');
  });
});

describe('a key frame', () => {
  function create() {
    const events: string[] = [];
    const keyFrames = new KeyFrames({
      begun: () => events.push('begun') * 0,
      completed: () => void events.push('completed'),
      wanted: () => void events.push('wanted'),
    });
    const paint = (left: number, top: number, right: number, bottom: number) =>
      keyFrames.painted(updateCodes.surface, pixels({ left, top, right, bottom }));
    return { events, keyFrames, paint };
  }

  it('is complete when every pixel was painted, in any order', () => {
    const { events, keyFrames, paint } = create();
    keyFrames.begin(200, 100);
    paint(50, 20, 150, 80);
    paint(0, 0, 200, 20);
    paint(0, 80, 200, 120);
    paint(0, 20, 60, 80);
    paint(140, 20, 200, 79);
    expect(events).toEqual(['begun']);
    paint(199, 79, 200, 80);
    expect(events).toEqual(['begun']);
    paint(140, 79, 199, 80);
    expect(events).toEqual(['begun', 'completed']);
    paint(0, 0, 200, 100);
    expect(events).toEqual(['begun', 'completed']);
  });

  it('is asked for after 4 MB, or four times the last one, and again if the host has ignored that', () => {
    const { events, keyFrames, paint } = create();
    const record = (megabytes: number) => {
      keyFrames.recorded(megabytes * 1024 * 1024);
      keyFrames.ask();
    };
    keyFrames.begin(100, 100);
    record(2);
    paint(0, 0, 100, 100);
    record(2);
    expect(events).toEqual(['begun', 'completed']);
    record(5);
    expect(events.splice(0)).toEqual(['begun', 'completed', 'wanted']);
    keyFrames.begin(100, 100);
    record(4);
    record(5);
    expect(events.splice(0)).toEqual(['begun', 'wanted']);
    record(8);
    expect(events).toEqual([]);
    record(1);
    expect(events).toEqual(['wanted']);
  });

  it('is given up when an update cannot be read', () => {
    const { events, keyFrames, paint } = create();
    keyFrames.begin(100, 100);
    keyFrames.painted(updateCodes.bitmap, words(1, 1));
    paint(0, 0, 100, 100);
    expect(events).toEqual(['begun']);
  });

  const many = (count: number, data: Buffer) => Buffer.concat(new Array<Buffer>(count).fill(data));

  it.each([
    ['commands', many(65_537, pixels(place))],
    ['tiles', remoteFx(place, clips(300), tiles(300))],
    ['messages', many(700, remoteFx(place, clips(10), tiles(10)))],
  ])('is given up when an update has too many %s', (_what, data) => {
    const { events, keyFrames, paint } = create();
    keyFrames.begin(100, 100);
    expect(() => paintedBy(updateCodes.surface, data)).toThrow('PROTOCOL');
    keyFrames.painted(updateCodes.surface, data);
    paint(0, 0, 100, 100);
    expect(events).toEqual(['begun']);
  });

  it('is given up when the screen is painted in too many pieces', () => {
    const { events, keyFrames, paint } = create();
    keyFrames.begin(4000, 4000);
    const dots = Array.from({ length: 1000 }, (_, at) => corners(4 * at, 4 * at, 4 * at, 4 * at));
    keyFrames.painted(updateCodes.bitmap, bitmaps(...dots));
    paint(0, 0, 4000, 4000);
    expect(events).toEqual(['begun']);
  });

  it('is given up when the screen changes, and when another one begins', () => {
    const { events, keyFrames, paint } = create();
    keyFrames.begin(100, 100);
    paint(0, 0, 100, 50);
    keyFrames.begin(100, 100);
    paint(0, 50, 100, 100);
    expect(events).toEqual(['begun', 'begun']);
    paint(0, 0, 100, 50);
    expect(events.splice(0)).toEqual(['begun', 'begun', 'completed']);
    keyFrames.begin(100, 100);
    keyFrames.reset();
    paint(0, 0, 100, 100);
    expect(events).toEqual(['begun']);
  });
});

test('a client that begins gets the shapes that the host names later, and the one that is shown', () => {
  const pointers = new PointerShapes();
  const shown = () =>
    pointers.frames.flatMap(readUpdates).map(({ code, data }) => [code, data.toString('hex')]);
  expect(shown()).toEqual([]);
  pointers.add(updateCodes.newPointer, words(32, 7, 0xaaaa));
  pointers.add(updateCodes.colorPointer, words(8, 0xbbbb));
  pointers.add(updateCodes.newPointer, words(24, 7, 0xcccc));
  const shapes = [
    [updateCodes.colorPointer, '0800bbbb'],
    [updateCodes.newPointer, '18000700cccc'],
  ];
  expect(shown()).toEqual([...shapes, [updateCodes.cachedPointer, '0700']]);
  pointers.add(updateCodes.cachedPointer, words(8));
  expect(shown()).toEqual([...shapes, [updateCodes.cachedPointer, '0800']]);
  pointers.add(updateCodes.pointerHidden, Buffer.alloc(0));
  pointers.add(updateCodes.bitmap, bitmaps());
  expect(shown()).toEqual([...shapes, [updateCodes.pointerHidden, '']]);
  pointers.add(updateCodes.newPointer, Buffer.alloc(3));
  pointers.add(updateCodes.colorPointer, Buffer.alloc(1));
  expect(shown()).toEqual([...shapes, [updateCodes.pointerHidden, '']]);
  for (let number = 0; number < 100; number += 1) pointers.add(updateCodes.newPointer, words(32, number));
  expect(shown()).toHaveLength(33);
});
