import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFolder } from './create-folder.ts';
import { replaceFile } from './replace-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-replace-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.runIf(process.geteuid?.() === 0)('what root writes can be read by the agent', async () => {
  const [old, made] = [join(folder, 'old'), join(folder, 'made')];
  writeFileSync(old, '');
  chownSync(old, 1234, 1235);
  chownSync(folder, 1236, 1237);
  for (const path of [old, made]) await replaceFile(path, 'text');
  createFolder(join(folder, 'credentials'));
  expect(statSync(join(folder, 'credentials'))).toMatchObject({ uid: 1236, gid: 1237 });
  expect(statSync(old)).toMatchObject({ uid: 1234, gid: 1235 });
  expect(statSync(made)).toMatchObject({ uid: 1236, gid: 1237 });
  for (const path of [old, made]) expect(statSync(path).mode & 0o777).toBe(0o600);
});
