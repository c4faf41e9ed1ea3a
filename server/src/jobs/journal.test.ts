import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { LogLine } from '../log.ts';
import { Journal } from './journal.ts';

const folders: string[] = [];
const opened: Journal[] = [];
afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-journal-'));
  folders.push(folder);
  const lines: LogLine[] = [];
  return {
    folder,
    lines,
    files: () => readdirSync(folder).sort(),
    async open(after = 0, fileSize?: number) {
      const options = { log: (line: LogLine) => lines.push(line), ...(fileSize ? { fileSize } : {}) };
      const found = await Journal.open(folder, after, options);
      opened.push(found.journal);
      return found;
    },
  };
}

const bytes = (...texts: string[]) => texts.map((text) => Buffer.from(text));
const texts = (entries: { bytes: Buffer }[]) => entries.map((entry) => entry.bytes.toString());

test('gives back what was appended, in order, behind a place', async () => {
  const { open } = place();
  const { journal, entries } = await open();
  expect(entries).toEqual([]);
  expect(await journal.append(bytes('one', '', '三'))).toEqual([1, 2, 3]);
  expect(await journal.append(bytes('four'))).toEqual([4]);
  await journal.close();
  expect(texts((await open()).entries)).toEqual(['one', '', '三', 'four']);
  const again = await open(2);
  expect(again.entries).toEqual([
    { place: 3, bytes: Buffer.from('三') },
    { place: 4, bytes: Buffer.from('four') },
  ]);
  expect(await again.journal.append(bytes('five'))).toEqual([5]);
});

test('gives no place twice when all that was kept is gone', async () => {
  const { open, files } = place();
  const { journal } = await open(7);
  expect(await journal.append(bytes('a', 'b'))).toEqual([8, 9]);
  await journal.release(9, true);
  expect(files()).toEqual([]);
  expect(await journal.append(bytes('c'))).toEqual([10]);
  await journal.close();
  expect((await open(9)).entries).toEqual([{ place: 10, bytes: Buffer.from('c') }]);
});

test('begins another file when one is full, and removes those of which all was taken over', async () => {
  const { open, files } = place();
  const { journal } = await open(0, 60);
  for (const text of ['first', 'second', 'third', 'fourth', 'fifth']) {
    await journal.append(bytes(text.padEnd(20)));
  }
  expect(files()).toEqual(['0000000000000001', '0000000000000003', '0000000000000005']);
  await journal.release(3);
  expect(files()).toEqual(['0000000000000003', '0000000000000005']);
  // The file that is written to stays until told otherwise.
  await journal.release(5);
  expect(files()).toEqual(['0000000000000005']);
  await journal.release(4, true);
  expect(files()).toEqual(['0000000000000005']);
  await journal.append(bytes('sixth'));
  await journal.close();
  expect(texts((await open(4)).entries).map((text) => text.trim())).toEqual(['fifth', 'sixth']);
});

test('a write that was broken off anywhere costs nothing of what came before it', async () => {
  const { folder, open, lines, files } = place();
  const { journal } = await open();
  await journal.append(bytes('kept', 'kept too'));
  await journal.append(bytes('broken off'));
  await journal.close();
  const path = join(folder, files()[0]!);
  const whole = readFileSync(path).subarray(0, 16 + 4 + 16 + 8 + 16 + 10);
  const end = whole.length - 16 - 'broken off'.length;
  for (let length = end; length < whole.length; length++) {
    // With and without the zeros that files grow by.
    writeFileSync(path, Buffer.concat([whole.subarray(0, length), Buffer.alloc(length % 2 ? 0 : 4096)]));
    const { journal: again, entries } = await open();
    expect(texts(entries)).toEqual(['kept', 'kept too']);
    await again.close();
  }
  // A file that ends where an entry ends is whole; every other end is told, and kept for people to look at.
  expect(lines.map(({ level }) => level)).toEqual(Array(whole.length - end - 1).fill('warn'));
  const { journal: last } = await open();
  expect(await last.append(bytes('next'))).toEqual([3]);
  expect(texts((await open()).entries)).toEqual(['kept', 'kept too', 'next']);
  await last.release(3, true);
  expect(files()).toEqual(['0000000000000001.damaged']);
});

test.each([
  ['of an entry', 16 + 3 + 16],
  ['of a checksum', 16 + 3 + 4],
  ['of a place', 16 + 3 + 8],
])('a changed byte %s is told, and the file is kept', async (_what, at) => {
  const { folder, open, lines, files } = place();
  const { journal } = await open();
  await journal.append(bytes('one', 'two', 'three'));
  await journal.release(0, true);
  await journal.append(bytes('four'));
  await journal.close();
  const path = join(folder, files()[0]!);
  const changed = readFileSync(path);
  changed[at]! ^= 1;
  writeFileSync(path, changed);
  const { journal: again, entries } = await open();
  expect(texts(entries)).toEqual(['one', 'four']);
  expect(lines).toEqual([{ level: 'warn', message: expect.stringContaining('0000000000000001.damaged') }]);
  await again.release(4, true);
  expect(files()).toEqual(['0000000000000001.damaged']);
  expect(readFileSync(`${path}.damaged`)).toEqual(changed);
  expect((await open(4)).entries).toEqual([]);
});

test('a failed write fails its own entries, and what comes later is kept', async () => {
  const { folder, open } = place();
  const { journal } = await open();
  renameSync(folder, `${folder}-away`);
  await expect(journal.append(bytes('lost'))).rejects.toThrow('ENOENT');
  renameSync(`${folder}-away`, folder);
  expect(await journal.append(bytes('kept'))).toEqual([2]);
  await journal.close();
  expect((await open()).entries).toEqual([{ place: 2, bytes: Buffer.from('kept') }]);
});

test('files grow by zeros, which are no entries', async () => {
  const { folder, open, files, lines } = place();
  const { journal } = await open();
  const large = Buffer.alloc(300 << 10, 7);
  await journal.append([Buffer.from('small')]);
  expect(statSync(join(folder, files()[0]!)).size).toBe(256 << 10);
  await journal.append([large, Buffer.alloc(9)]);
  await journal.append([Buffer.from('last')]);
  expect(statSync(join(folder, files()[0]!)).size).toBe(512 << 10);
  await journal.close();
  expect((await open()).entries.map((entry) => entry.bytes)).toEqual([
    Buffer.from('small'),
    large,
    Buffer.alloc(9),
    Buffer.from('last'),
  ]);
  expect(lines).toEqual([]);
});

test('heeds no file that is none of its own', async () => {
  const { folder, open, files } = place();
  writeFileSync(join(folder, 'note.txt'), 'of somebody');
  const { journal } = await open();
  await journal.append(bytes('one'));
  expect(await journal.setAside(1, Buffer.from('one'))).toBe('0000000000000001.refused');
  await journal.release(1, true);
  expect(files()).toEqual(['0000000000000001.refused', 'note.txt']);
  expect((await open(1)).entries).toEqual([]);
});
