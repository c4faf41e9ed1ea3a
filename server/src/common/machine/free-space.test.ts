import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManualClock } from '../clock.ts';
import { FreeSpace } from './free-space.ts';

test('does not wait for a reading', async () => {
  const clock = new ManualClock();
  const free = new FreeSpace(tmpdir(), clock);
  expect(free.bytes()).toBe(Number.POSITIVE_INFINITY);
  await expect.poll(() => free.bytes()).toBeLessThan(Number.POSITIVE_INFINITY);
  expect(free.bytes()).toBeGreaterThan(0);
});

test('a folder that is not there does not count as full', async () => {
  const clock = new ManualClock();
  const free = new FreeSpace(join(tmpdir(), 'not', 'there'), clock);
  free.bytes();
  await new Promise(setImmediate);
  clock.advance(1000);
  expect(free.bytes()).toBe(Number.POSITIVE_INFINITY);
});
