import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileFlusher } from './flush-files.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-flush-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A file of a table, last changed at this second. */
function table(name: string, second: number): void {
  const path = join(folder, 'engine', 'base', '5', name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, name);
  utimesSync(path, second, second);
}

test('files are flushed that changed since the last call, or as late as the latest before', async () => {
  const flush = createFileFlusher(folder);
  table('16384', 100);
  table('16385', 200);
  expect(await flush()).toBe(2);
  table('16386', 150);
  expect(await flush()).toBe(1);
  table('16384', 201);
  table('16387', 300);
  expect(await flush()).toBe(3);
  expect(await flush()).toBe(1);
});

test('a folder without tables flushes nothing', async () => {
  expect(await createFileFlusher(folder)()).toBe(0);
});
