// Whatever is damaged, all intact entries are recovered in order, and nothing that was never written.
import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createHeader,
  EntryFinder,
  EntryWriter,
  entryHeadSize,
  headerSize,
  type JournalEntry,
  newSalt,
  readEntries,
  readHeader,
  readVersion1Entries,
  type Salt,
  UnknownJournalVersion,
} from './journal-format.ts';

interface Written {
  bytes: Buffer;
  /** Start and end of each entry. */
  ranges: [number, number][];
}

function write(salt: Salt, entries: JournalEntry[], zeros = 0): Written {
  const parts = [createHeader(salt)];
  const ranges: [number, number][] = [];
  const writer = new EntryWriter(salt);
  let end = headerSize;
  for (const entry of entries) {
    parts.push(writer.createHead(entry, end), entry.bytes);
    ranges.push([end, end + entryHeadSize + entry.bytes.length]);
    end = ranges.at(-1)![1];
  }
  return { bytes: Buffer.concat([...parts, Buffer.alloc(zeros)]), ranges };
}

const entriesOf = (bodies: Buffer[], first = 1): JournalEntry[] =>
  bodies.map((bytes, index) => ({ sequence: first + index, bytes }));
const plain = (entries: JournalEntry[]) =>
  entries.map(({ sequence, bytes }) => `${sequence} ${bytes.toString('hex')}`);

const body = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.alloc(100)),
  fc.constant(createHeader(Buffer.alloc(16))),
);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const damage = fc.record({
  kind: fc.constantFrom('flip', 'zeros', 'noise', 'copy', 'cut', 'end'),
  at: share,
  size: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 300 })),
  from: share,
  seed: fc.integer({ min: 0, max: 255 }),
});

test('one flipped bit, an overwritten block, a cut: all else is taken', () => {
  fc.assert(
    fc.property(
      fc.array(body, { minLength: 1, maxLength: 12 }),
      damage,
      fc.nat(200),
      (bodies, hit, zeros) => {
        const salt = newSalt();
        const entries = entriesOf(bodies, 7);
        const { bytes, ranges } = write(salt, entries, zeros);
        const begin = Math.min(bytes.length - 1, Math.floor(hit.at * bytes.length));
        const end = hit.kind === 'flip' ? begin + 1 : Math.min(bytes.length, begin + hit.size);
        const hurt = damaged(bytes, hit, begin, end);
        const whole = entries.filter((_, index) => ranges[index]![1] <= begin || ranges[index]![0] >= end);
        const wanted = hit.kind === 'end' ? whole.filter((_, index) => ranges[index]![1] <= begin) : whole;
        const found = plain(readEntries(hurt, salt).entries);
        // A write that changes nothing damages nothing.
        expect(plain(entries).filter((one) => found.includes(one))).toEqual(found);
        for (const one of plain(wanted)) expect(found).toContain(one);
      },
    ),
    { numRuns: 3000 },
  );
});

function damaged(
  bytes: Buffer,
  { kind, from, seed }: { kind: string; from: number; seed: number },
  begin: number,
  end: number,
): Buffer {
  if (kind === 'cut') return Buffer.concat([bytes.subarray(0, begin), bytes.subarray(end)]);
  if (kind === 'end') return bytes.subarray(0, begin);
  const hurt = Buffer.from(bytes);
  if (kind === 'flip') hurt[begin]! ^= 1 << (seed % 8);
  else if (kind === 'zeros') hurt.fill(0, begin, end);
  else if (kind === 'noise') hurt.fill(seed, begin, end);
  else
    bytes.copy(hurt, begin, Math.floor(from * bytes.length), Math.floor(from * bytes.length) + end - begin);
  return hurt;
}

test('a whole entry that a sender put into a body is none of the file', () => {
  const salt = newSalt();
  const old = write(newSalt(), entriesOf([Buffer.from('of another file')], 9));
  const first = write(salt, entriesOf([Buffer.from('first')]));
  // Even with the marker and checksums of this very file, which no sender can know.
  const inside = Buffer.concat([old.bytes, first.bytes.subarray(headerSize)]);
  const { bytes, ranges } = write(salt, entriesOf([Buffer.from('first'), inside, Buffer.from('last')]));
  for (const [begin, end] of ranges) {
    for (let at = begin; at < Math.min(end, begin + entryHeadSize + 6); at += 1) {
      const hurt = Buffer.from(bytes);
      hurt[at]! ^= 0x10;
      const { entries, damagedBytes } = readEntries(hurt, salt);
      expect(plain(entries)).toEqual(
        plain(entriesOf([Buffer.from('first'), inside, Buffer.from('last')])).filter(
          (_, index) => ranges[index]![0] !== begin,
        ),
      );
      expect(damagedBytes).toBeGreaterThan(0);
    }
  }
});

test('heads that are made to look right cost no more than their bytes', () => {
  // Crafted by someone who has read the file: heads of damaged entries, each of which claims everything that
  // follows.
  const cost = (count: number) => {
    const salt = newSalt();
    const length = count * entryHeadSize;
    const large = { sequence: 5, bytes: randomBytes(length) };
    const head = new EntryWriter(salt).createHead(large, 1 << 30);
    const bytes = Buffer.concat([
      createHeader(salt),
      ...Array.from({ length: count }, () => head),
      Buffer.alloc(length),
    ]);
    const before = process.cpuUsage();
    expect(readEntries(bytes, salt).entries).toEqual([]);
    return process.cpuUsage(before).user;
  };
  cost(1_000);
  const small = cost(20_000);
  expect(cost(80_000)).toBeLessThan(12 * small + 50_000);
});

test('a damaged header costs no entry', () => {
  const salt = newSalt();
  const { bytes } = write(salt, entriesOf([Buffer.from('one'), Buffer.from('two')]));
  for (let at = 0; at < headerSize; at += 1) {
    const hurt = Buffer.from(bytes);
    hurt[at]! ^= 4;
    expect(readEntries(hurt, salt)).toMatchObject({ lastSequence: 2, damagedBytes: headerSize });
    expect(readEntries(hurt, salt).entries).toHaveLength(2);
  }
});

test('a header tells the salt; a file of another program, or a part of a header, has none', () => {
  const salt = newSalt();
  const header = createHeader(salt);
  expect(readHeader(header)).toEqual(salt);
  expect(readHeader(header.subarray(0, headerSize - 1))).toBeUndefined();
  const head = Buffer.from(header.subarray(0, 8 + salt.length));
  head.write('OTHER', 0);
  const checksum = createHash('sha256').update(head).digest();
  expect(readHeader(Buffer.concat([head, checksum]))).toBeUndefined();
});

test('zeros where a header was never written are no damage', () => {
  const salt = newSalt();
  const { bytes } = write(salt, entriesOf([Buffer.from('one')]));
  bytes.fill(0, 0, headerSize);
  expect(readEntries(bytes, salt)).toMatchObject({ lastSequence: 1, damagedBytes: 0 });
  expect(readEntries(Buffer.alloc(500), salt)).toMatchObject({ lastSequence: 0, damagedBytes: 0 });
  expect(readEntries(Buffer.alloc(0), salt)).toMatchObject({ lastSequence: 0, damagedBytes: 0 });
});

test('an entry is read from a part of the file, which says how much it lacks', () => {
  const salt = newSalt();
  const { bytes, ranges } = write(
    salt,
    entriesOf([Buffer.from('one'), Buffer.from('three'), Buffer.alloc(0)]),
  );
  const [, [start, end], [last]] = ranges as [[number, number], [number, number], [number, number]];
  const finder = new EntryFinder(salt);
  const part = bytes.subarray(start - 5);
  const position = start - 5;
  expect(finder.readEntry(part, 5, position)).toEqual({
    sequence: 2,
    bytes: Buffer.from('three'),
    end: end - position,
  });
  expect(finder.readEntry(part.subarray(0, end - position - 1), 5, position)).toEqual({ needs: end - start });
  expect(finder.readEntry(part, last - position, position)).toMatchObject({ sequence: 3 });
  expect(finder.readEntry(part, 5, position + 1)).toBeUndefined();
  expect(finder.readEntry(part, 4, position)).toBeUndefined();
  expect(finder.findNext(part, 0)).toBe(5);
  expect(finder.findNext(part, 5)).toBe(last - position);
  expect(finder.findNext(part, last - position)).toBe(-1);
  part[5 + entryHeadSize]! ^= 1;
  expect(finder.readEntry(part, 5, position)).toBeUndefined();
});

test('a file of a newer version is refused, not read as damage', () => {
  const salt = newSalt();
  const { bytes } = write(salt, []);
  const newer = Buffer.concat([createHeader(salt, 3), bytes.subarray(headerSize)]);
  expect(() => readEntries(newer, salt)).toThrow(UnknownJournalVersion);
});

test('reads version 1, which tells length, checksum and place, up to the first damage', () => {
  const old = Buffer.from('030000000e88487703000000000000006f6e65', 'hex');
  const one = { sequence: 3, bytes: Buffer.from('one') };
  expect(readVersion1Entries(Buffer.concat([old, Buffer.alloc(40)]))).toEqual({
    entries: [one],
    lastSequence: 3,
    damagedBytes: 0,
  });
  expect(readVersion1Entries(Buffer.concat([old, Buffer.from([9, 9]), old]))).toEqual({
    entries: [one],
    lastSequence: 3,
    damagedBytes: old.length + 2,
  });
});
