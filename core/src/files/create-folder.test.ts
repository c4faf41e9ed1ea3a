import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFolder } from './create-folder.ts';

const files = { mkdirSync, statSync, dirname, resolve };
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'yagura-folders-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('missing parents are created for this user only, and existing folders are left as they are', () => {
  expect(createFolder(files, join(root, 'a/b/c'))).toBe(join(root, 'a'));
  for (const name of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, name)).mode & 0o777).toBe(0o700);
  expect(createFolder(files, join(root, 'a/b/c'))).toBeUndefined();
  expect(createFolder(files, join(root, 'a/d'))).toBe(join(root, 'a/d'));
});

test('a file in the way is an error', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => createFolder(files, join(root, 'file'))).toThrow('EEXIST');
  expect(() => createFolder(files, join(root, 'file/a'))).toThrow('ENOTDIR');
});

test.runIf(process.platform === 'linux')('a parent that accepts no folders is an error', () => {
  expect(() => createFolder(files, '/proc/yagura/a')).toThrow('ENOENT');
});
