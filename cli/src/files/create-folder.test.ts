import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolder } from './create-folder.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-folder-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('missing parents are created with the mode, an existing folder stays', () => {
  const path = join(folder, 'a', 'b', 'c');
  createFolder(path, 0o700);
  createFolder(path);
  createFolder(join(folder, 'a', 'b'));
  createFolder('/');
  createFolder(`${join(folder, 'x')}/`);
  for (const level of ['a', 'a/b', 'a/b/c']) expect(statSync(join(folder, level)).mode & 0o777).toBe(0o700);
});

test.skipIf(process.platform !== 'linux')('below /proc it fails instead of never returning', () => {
  expect(() => createFolder('/proc/nothing')).toThrow('/proc/nothing');
  expect(() => createFolder('/proc/nothing/below')).toThrow('/proc/nothing');
});

test('a file is no folder, whether it is the last part or a parent', () => {
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'real'));
  expect(() => createFolder(join(folder, 'file'))).toThrow('EEXIST');
  expect(() => createFolder(join(folder, 'file', 'below'))).toThrow('ENOTDIR');
});
