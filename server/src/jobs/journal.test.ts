import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { LogLine } from '../log.ts';
import { Journal } from './journal.ts';
import { entryHeadSize, headerSize } from './journal-format.ts';

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
    /** Without the mark of the owner; `epoch-place` for files with entries, whose names are longer. */
    files: () =>
      readdirSync(folder)
        .filter((name) => !name.endsWith('.owner'))
        .sort()
        .map((name) => name.replace(/^0+(\d+)-0+(\d+)-[0-9a-f]{32}/, '$1-$2')),
    /** Path of the only file with entries. */
    path: () => join(folder, readdirSync(folder).find((name) => /^\d{10}-\d{16}-[0-9a-f]{32}$/.test(name))!),
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
  const { journal } = await open(0, headerSize + 2 * (entryHeadSize + 20));
  for (const text of ['first', 'second', 'third', 'fourth', 'fifth']) {
    await journal.append(bytes(text.padEnd(20)));
  }
  expect(files()).toEqual(['1-1', '1-3', '1-5']);
  await journal.release(3);
  expect(files()).toEqual(['1-3', '1-5']);
  // The file that is written to stays until told otherwise.
  await journal.release(5);
  expect(files()).toEqual(['1-5']);
  await journal.release(4, true);
  expect(files()).toEqual(['1-5']);
  await journal.append(bytes('sixth'));
  await journal.close();
  expect(texts((await open(4)).entries).map((text) => text.trim())).toEqual(['fifth', 'sixth']);
});

test('a write that was broken off anywhere costs nothing of what came before it', async () => {
  const first = place();
  const { journal } = await first.open();
  await journal.append(bytes('kept', 'kept too'));
  await journal.append(bytes('broken off'));
  await journal.close();
  const end = headerSize + entryHeadSize + 4 + entryHeadSize + 8;
  const whole = readFileSync(first.path()).subarray(0, end + entryHeadSize + 10);
  for (let length = end; length < whole.length; length++) {
    const { folder, open, lines, files } = place();
    // With and without the zeros that files grow by.
    const left = Buffer.concat([whole.subarray(0, length), Buffer.alloc(length % 2 ? 0 : 4096)]);
    writeFileSync(join(folder, basename(first.path())), left);
    const { journal: again, entries } = await open();
    expect(texts(entries)).toEqual(['kept', 'kept too']);
    // The place of one whose head is whole is not given again.
    const next = length < end + entryHeadSize ? 3 : 4;
    expect(await again.append(bytes('next'))).toEqual([next]);
    await again.release(next, true);
    // A file that ends where an entry ends is whole; every other end is told, and kept for people to look at.
    expect(lines.map(({ level }) => level)).toEqual(length === end ? [] : ['warn']);
    expect(files()).toEqual(length === end ? [] : ['1-1.damaged']);
    await again.close();
  }
});

test.each([
  ['of the header', 9, ['one', 'two', 'three', 'four']],
  ['of a marker', headerSize + 1, ['two', 'three', 'four']],
  ['of an entry', headerSize + 3 + 2 * entryHeadSize, ['one', 'three', 'four']],
  ['of a checksum', headerSize + 3 + entryHeadSize + 13, ['one', 'three', 'four']],
  ['of a place', headerSize + 3 + entryHeadSize + 16, ['one', 'three', 'four']],
])('a changed byte %s costs its entry alone, is told, and the file is kept', async (_what, at, kept) => {
  const { folder, open, lines, files, path } = place();
  const { journal } = await open();
  await journal.append(bytes('one', 'two', 'three'));
  await journal.append(bytes('four'));
  await journal.close();
  const name = basename(path());
  const changed = readFileSync(path());
  changed[at]! ^= 1;
  writeFileSync(path(), changed);
  const { journal: again, entries } = await open();
  expect(texts(entries)).toEqual(kept);
  expect(lines).toEqual([{ level: 'warn', message: expect.stringContaining(`${name}.damaged`) }]);
  expect(await again.append(bytes('five'))).toEqual([5]);
  await again.release(5, true);
  expect(files()).toEqual(['1-1.damaged']);
  expect(readFileSync(join(folder, `${name}.damaged`)).equals(changed)).toBe(true);
  expect((await open(5)).entries).toEqual([]);
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
  const { open, path, lines } = place();
  const { journal } = await open();
  const large = Buffer.alloc(300 << 10, 7);
  await journal.append([Buffer.from('small')]);
  expect(statSync(path()).size).toBe(256 << 10);
  await journal.append([large, Buffer.alloc(9)]);
  await journal.append([Buffer.from('last')]);
  expect(statSync(path()).size).toBe(512 << 10);
  await journal.close();
  const wanted = [Buffer.from('small'), large, Buffer.alloc(9), Buffer.from('last')];
  const { entries } = await open();
  expect(entries.map((entry, index) => entry.bytes.equals(wanted[index]!))).toEqual([true, true, true, true]);
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

test.each([
  ['nothing', 0],
  ['only zeros', 4096],
])('a file with %s, left by a kill before its first write, costs no later entry', async (_what, size) => {
  const { folder, open } = place();
  writeFileSync(join(folder, '0000000000000001'), Buffer.alloc(size));
  for (let start = 0; start < 2; start += 1) {
    const { journal } = await open();
    await journal.append(bytes(`answered ${start}`));
    await journal.release(0);
    await journal.close();
  }
  expect(texts((await open()).entries)).toEqual(['answered 0', 'answered 1']);
});
