import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { acquireFileLock, removeStale } from './file-lock.ts';

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-lock-'));
  lock = join(folder, 'lock');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function age(path: string): void {
  utimesSync(path, new Date(0), new Date(0));
}

test('a lock is free after its release', async () => {
  for (let round = 0; round < 2; round += 1) {
    const release = await acquireFileLock(lock);
    expect(readdirSync(folder)).toEqual(['lock']);
    release();
    expect(readdirSync(folder)).toEqual([]);
  }
});

test('long work keeps its lock', async () => {
  vi.useFakeTimers({ now: Date.now() });
  const release = await acquireFileLock(lock);
  age(lock);
  vi.advanceTimersByTime(50_000);
  expect(statSync(lock).mtimeMs).toBeGreaterThan(Date.now() - 20_000);
  release();
});

test('whoever was suspended leaves the lock of the next process', async () => {
  const suspended = await acquireFileLock(lock);
  age(lock);
  const next = await acquireFileLock(lock);
  suspended();
  expect(readdirSync(folder)).toEqual(['lock']);
  next();
  expect(readdirSync(folder)).toEqual([]);
});

test('a stale lock that another process has replaced meanwhile is left to it', () => {
  writeFileSync(lock, 'dead');
  age(lock);
  const stale = statSync(lock);
  // The dead lock keeps its inode, so that the new one cannot have the same.
  renameSync(lock, join(folder, 'dead'));
  writeFileSync(lock, 'other');
  removeStale(lock, stale);
  expect(readFileSync(lock, 'utf8')).toBe('other');
  removeStale(lock, statSync(lock));
  removeStale(lock, stale);
  expect(readdirSync(folder)).toEqual(['dead']);
});
