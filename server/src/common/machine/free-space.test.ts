import { mkdtempSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
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

test('a folder that is gone leaves the last reading', async () => {
  const clock = new ManualClock();
  const folder = mkdtempSync(join(tmpdir(), 'yagura-free-'));
  const free = new FreeSpace(folder, clock);
  await expect.poll(() => free.bytes()).toBeLessThan(Number.POSITIVE_INFINITY);
  const last = free.bytes();
  rmSync(folder, { recursive: true });
  clock.advance(1000);
  free.bytes();
  await stat(folder).catch(() => undefined);
  expect(free.bytes()).toBe(last);
});
