import {
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { LogLine } from '../common/log.ts';
import { type Disk, nodeDisk } from './disk.ts';
import { Journal, type JournalOptions, JournalTakenOver } from './journal.ts';
import { entryHeadSize, headerSize } from './journal-format.ts';

const folders: string[] = [];
const opened: Journal[] = [];
afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function openJournal(folder: string, after: number, options: JournalOptions) {
  return (await Journal.claim(folder, options)).open(after);
}

function createTestJournal() {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-journal-'));
  folders.push(folder);
  const lines: LogLine[] = [];
  return {
    folder,
    lines,
    /** File names without the owner's mark and id; data files shortened to `epoch-position`. */
    files: () =>
      readdirSync(folder)
        .filter((name) => !/\.(owner|id)$/.test(name))
        .sort()
        .map((name) => name.replace(/^0+(\d+)-0+(\d+)-[0-9a-f]{32}/, '$1-$2')),
    /** Path of the only data file. */
    path: () => join(folder, readdirSync(folder).find((name) => /^\d{10}-\d{16}-[0-9a-f]{32}$/.test(name))!),
    async open(after = 0, fileSize?: number) {
      const options = { log: (line: LogLine) => lines.push(line), ...(fileSize ? { fileSize } : {}) };
      const found = await openJournal(folder, after, options);
      opened.push(found.journal);
      return found;
    },
  };
}

const bytes = (...texts: string[]) => texts.map((text) => Buffer.from(text));
const texts = (entries: { bytes: Buffer }[]) => entries.map((entry) => entry.bytes.toString());

test('gives back what was appended, in order, behind a place', async () => {
  const { open } = createTestJournal();
  const { journal, entries } = await open();
  expect(entries).toEqual([]);
  expect(await journal.append(bytes('one', '', '三'))).toEqual([1, 2, 3]);
  expect(await journal.append(bytes('four'))).toEqual([4]);
  await journal.close();
  expect(texts((await open()).entries)).toEqual(['one', '', '三', 'four']);
  const again = await open(2);
  expect(again.entries).toEqual([
    { sequence: 3, bytes: Buffer.from('三') },
    { sequence: 4, bytes: Buffer.from('four') },
  ]);
  expect(await again.journal.append(bytes('five'))).toEqual([5]);
});

test('gives no place twice when all that was kept is gone', async () => {
  const { open, files } = createTestJournal();
  const { journal } = await open(7);
  expect(await journal.append(bytes('a', 'b'))).toEqual([8, 9]);
  await journal.release(9, true);
  expect(files()).toEqual([]);
  expect(await journal.append(bytes('c'))).toEqual([10]);
  await journal.close();
  expect((await open(9)).entries).toEqual([{ sequence: 10, bytes: Buffer.from('c') }]);
});

test('begins another file when one is full, and removes those of which all was taken over', async () => {
  const { open, files } = createTestJournal();
  const { journal } = await open(0, headerSize + 2 * (entryHeadSize + 20));
  for (const text of ['first', 'second', 'third', 'fourth', 'fifth']) {
    await journal.append(bytes(text.padEnd(20)));
  }
  expect(files()).toEqual(['1-1', '1-3', '1-5']);
  await journal.release(3);
  expect(files()).toEqual(['1-3', '1-5']);
  // The current file is kept until `all` is passed.
  await journal.release(5);
  expect(files()).toEqual(['1-5']);
  await journal.release(4, true);
  expect(files()).toEqual(['1-5']);
  await journal.append(bytes('sixth'));
  await journal.close();
  expect(texts((await open(4)).entries).map((text) => text.trim())).toEqual(['fifth', 'sixth']);
});

test('a write that was broken off anywhere costs nothing of what came before it', async () => {
  const first = createTestJournal();
  const { journal } = await first.open();
  await journal.append(bytes('kept', 'kept too'));
  await journal.append(bytes('broken off'));
  await journal.close();
  const end = headerSize + entryHeadSize + 4 + entryHeadSize + 8;
  const whole = readFileSync(first.path()).subarray(0, end + entryHeadSize + 10);
  for (let length = end; length < whole.length; length++) {
    const { folder, open, lines, files } = createTestJournal();
    // With and without the zeros that preallocation adds.
    const left = Buffer.concat([whole.subarray(0, length), Buffer.alloc(length % 2 ? 0 : 4096)]);
    writeFileSync(join(folder, basename(first.path())), left);
    const { journal: again, entries } = await open();
    expect(texts(entries)).toEqual(['kept', 'kept too']);
    // A position whose head is intact is not assigned again.
    const next = length < end + entryHeadSize ? 3 : 4;
    expect(await again.append(bytes('next'))).toEqual([next]);
    await again.release(next, true);
    // A file that ends at the end of an entry is intact; any other is reported and kept for an operator.
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
  const { folder, open, lines, files, path } = createTestJournal();
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
  const { folder, open } = createTestJournal();
  const { journal } = await open();
  renameSync(folder, `${folder}-away`);
  await expect(journal.append(bytes('lost'))).rejects.toThrow('ENOENT');
  renameSync(`${folder}-away`, folder);
  expect(await journal.append(bytes('kept'))).toEqual([2]);
  await journal.close();
  expect((await open()).entries).toEqual([{ sequence: 2, bytes: Buffer.from('kept') }]);
});

test('files grow by zeros, which are no entries', async () => {
  const { open, path, lines } = createTestJournal();
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

test('an entry is set aside whole, although an earlier process was killed while it did so', async () => {
  const { folder, open } = createTestJournal();
  const { journal } = await open();
  await journal.append(bytes('one'));
  writeFileSync(join(folder, '0000000000000001.refused.partial'), 'a longer beginning');
  const name = await journal.setAside(1, Buffer.from('one'));
  expect(readFileSync(join(folder, name), 'utf8')).toBe('one');
});

test('heeds no file that is none of its own', async () => {
  const { folder, open, files } = createTestJournal();
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
  const { folder, open } = createTestJournal();
  writeFileSync(join(folder, '0000000000000001'), Buffer.alloc(size));
  for (let start = 0; start < 2; start += 1) {
    const { journal } = await open();
    await journal.append(bytes(`answered ${start}`));
    await journal.release(0);
    await journal.close();
  }
  expect(texts((await open()).entries)).toEqual(['answered 0', 'answered 1']);
});

test('takes over what version 1 left, a place that was given twice included', async () => {
  const { folder, open, files } = createTestJournal();
  const old = (at: number, text: string) => {
    const head = Buffer.alloc(16);
    head.writeUInt32LE(text.length, 0);
    head.writeBigUInt64LE(BigInt(at), 8);
    head.writeUInt32LE(crc32(text, crc32(head.subarray(8))), 4);
    return Buffer.concat([head, Buffer.from(text)]);
  };
  writeFileSync(
    join(folder, '0000000000000001'),
    Buffer.concat([old(1, 'stored'), old(2, 'two'), Buffer.alloc(9)]),
  );
  writeFileSync(
    join(folder, '0000000000000002'),
    Buffer.concat([old(2, 'two'), old(2, 'other'), old(3, 'three')]),
  );
  writeFileSync(join(folder, '0000000000000009'), '');
  const { journal, entries } = await open(1);
  expect(entries.map((entry) => `${entry.sequence} ${entry.bytes}`)).toEqual(['2 two', '3 three', '9 other']);
  expect(await journal.append(bytes('next'))).toEqual([10]);
  expect(files()).toEqual(['1-2']);
  await journal.close();
  expect(texts((await open(2)).entries)).toEqual(['three', 'other', 'next']);
});

test('who opens the folder ends the process before, which answers for nothing that the next has not read', async () => {
  const { open, files } = createTestJournal();
  const { journal: first } = await open();
  await first.append(bytes('answered'));
  const { journal: second, entries } = await open();
  expect(texts(entries)).toEqual(['answered']);
  await expect(first.append(bytes('late'))).rejects.toThrow(JournalTakenOver);
  await second.append(bytes('of the next'));
  await expect(first.append(bytes('later'))).rejects.toThrow(JournalTakenOver);
  await expect(first.release(9, true)).rejects.toThrow(JournalTakenOver);
  await first.close();
  await second.close();
  const { entries: left } = await open();
  expect(left.map((entry) => `${entry.sequence} ${entry.bytes}`)).toEqual(['1 answered', '2 of the next']);
  expect(files()).toEqual(['3-1']);
});

test('a process that is stopped while it opens does not undo what another did meanwhile', async () => {
  const { folder, open } = createTestJournal();
  const { journal } = await open();
  await journal.append(bytes('answered'));
  await journal.close();
  const names = (): string[] => readdirSync(folder);
  for (const call of ['rename', 'list', 'truncate', 'syncFolder', 'open'] as const) {
    let goOn: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let reached: () => void = () => undefined;
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const disk = {
      ...nodeDisk,
      async [call](...given: never[]) {
        reached();
        await stopped;
        return (nodeDisk[call] as (...all: never[]) => Promise<never>)(...given);
      },
    };
    const slow = openJournal(folder, 0, { log: () => undefined, disk });
    await isReached;
    const other = await open();
    await other.journal.append(bytes(`beside ${call}`));
    goOn();
    const late = await slow.catch((error: Error) => error);
    if (!(late instanceof Error)) {
      // It started so late that it took over from the other.
      await expect(other.journal.append(bytes('late'))).rejects.toThrow(JournalTakenOver);
      expect(texts(late.entries)).toContain(`beside ${call}`);
      await late.journal.close();
    }
    const { journal: next, entries } = await open();
    expect(texts(entries)).toContain(`beside ${call}`);
    expect(new Set(texts(entries)).size).toBe(entries.length);
    await next.close();
    expect(names().filter((name) => name.endsWith('.owner'))).toHaveLength(1);
  }
});

test('goes on where the system took a part of a write, and begins another file after a failure', async () => {
  const { folder, files, lines } = createTestJournal();
  const max = 7;
  let writes = Number.POSITIVE_INFINITY;
  const disk: Disk = {
    ...nodeDisk,
    async open(path, flags) {
      const file = await nodeDisk.open(path, flags);
      if (path.endsWith('.opening')) return file;
      const writev = (parts: Buffer[], position: number) => {
        writes -= 1;
        if (writes < 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        return file.writev([Buffer.concat(parts).subarray(0, max)], position);
      };
      return { ...file, writev };
    },
  };
  const options = { log: (line: LogLine) => void lines.push(line), disk, fileSize: 300 };
  const { journal } = await openJournal(folder, 0, options);
  await journal.append(bytes('in many parts'));
  // The beginning of the entry is on the disk when the rest fails.
  writes = 3;
  await expect(journal.append(bytes('refused'))).rejects.toThrow('no space left');
  writes = Number.POSITIVE_INFINITY;
  expect(await journal.append(bytes('kept'))).toEqual([3]);
  expect(files()).toEqual(['1-1', '1-3']);
  await journal.close();
  const { journal: next, entries } = await openJournal(folder, 0, options);
  expect(texts(entries)).toEqual(['in many parts', 'kept']);
  expect(lines).toEqual([]);
  await next.close();
});

test('on the disk is what an append has answered for: files are opened so, and their names are synced', async () => {
  const { folder } = createTestJournal();
  const calls: string[] = [];
  const disk: Disk = {
    ...nodeDisk,
    open(path, flags) {
      calls.push(
        `open ${flags & constants.O_DSYNC ? 'synced' : 'not synced'} ${flags & constants.O_EXCL ? 'new' : ''}`,
      );
      return nodeDisk.open(path, flags);
    },
    syncFolder(path) {
      calls.push('sync folder');
      return nodeDisk.syncFolder(path);
    },
  };
  const { journal } = await openJournal(folder, 0, { log: () => undefined, disk });
  calls.length = 0;
  await journal.append(bytes('one'));
  expect(calls).toEqual(['open synced new', 'sync folder']);
  await journal.close();
});

test('a file is removed once, however often entries are released after it', async () => {
  const { folder } = createTestJournal();
  const removed: string[] = [];
  const disk: Disk = {
    ...nodeDisk,
    remove(path) {
      removed.push(path);
      return nodeDisk.remove(path);
    },
  };
  const { journal } = await openJournal(folder, 0, { log: () => undefined, disk, fileSize: headerSize + 1 });
  removed.length = 0;
  for (const sequence of [1, 2, 3]) {
    await journal.append(bytes('one'));
    await journal.release(sequence);
  }
  await journal.release(3, true);
  expect(new Set(removed).size).toBe(3);
  expect(removed).toHaveLength(3);
  await journal.close();
});

test('a damaged file is kept on the disk, also if a process was killed after it named the copy', async () => {
  const { folder, path } = createTestJournal();
  const calls: string[] = [];
  const disk: Disk = {
    ...nodeDisk,
    async link(from, to) {
      calls.push('link');
      await nodeDisk.link(from, to);
    },
    syncFolder(path) {
      calls.push('sync folder');
      return nodeDisk.syncFolder(path);
    },
  };
  const { journal } = await openJournal(folder, 0, { log: () => undefined, disk });
  await journal.append(bytes('one'));
  const name = basename(path());
  calls.length = 0;
  expect(await journal.keepDamaged([name])).toEqual([`${name}.damaged`]);
  expect(calls).toEqual(['link', 'sync folder']);
  calls.length = 0;
  expect(await journal.keepDamaged([name])).toEqual([]);
  expect(calls).toEqual(['link', 'sync folder']);
  await journal.close();
});
