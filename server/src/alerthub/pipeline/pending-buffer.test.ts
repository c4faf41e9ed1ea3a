import { expect, test } from 'vitest';
import type { Queryable } from '../../db/database.ts';
import { PendingBuffer } from './pending-buffer.ts';
import { type PendingRow, readPendingMessages } from './read-pending-messages.ts';

const entry = (seq: number, size = 1) => ({ seq: String(seq), weight: size });
const seqs = (list: { seq: string }[]) => list.map(({ seq }) => Number(seq));

function completeLine() {
  const line = new PendingBuffer<ReturnType<typeof entry>>();
  line.beginRead()();
  return line;
}

test('is complete only once the store was read to its end', () => {
  const line = new PendingBuffer();
  expect(line.isComplete).toBe(false);
  const completed = line.beginRead();
  expect(line.isComplete).toBe(false);
  completed();
  expect(line.isComplete).toBe(true);
});

test('what got lost while the store was read keeps it incomplete', () => {
  const line = new PendingBuffer();
  const completed = line.beginRead();
  line.invalidate();
  completed();
  expect(line.isComplete).toBe(false);
});

test.each([
  ['count', 2, 1000, [1, 2]],
  ['bytes', 10, 15, [1, 2]],
  ['bytes, but at least one', 10, 1, [1]],
  ['nothing', 10, 1000, [1, 2, 3]],
])('gives the first ones, limited by %s', (_name, count, bytes, expected) => {
  const line = completeLine();
  line.add([entry(1, 10), entry(2, 10), entry(3, 10)]);
  expect(seqs(line.peek(count, bytes))).toEqual(expected);
});

test('what was decided is gone, wherever it stood', () => {
  const line = completeLine();
  line.add([entry(1), entry(2), entry(3)]);
  line.remove(['2', '9']);
  expect(seqs(line.peek(10, 1000))).toEqual([1, 3]);
  expect(line.length).toBe(2);
});

test.each([
  ['messages', Array.from({ length: 4001 }, (_, at) => entry(at))],
  ['bytes', [entry(1, (32 << 20) + 1)]],
])('too many %s are left to the store', (_name, list) => {
  const line = completeLine();
  line.add(list);
  expect(line.length).toBe(0);
  expect(line.isComplete).toBe(false);
});

const row = (seq: number, more: Partial<PendingRow> = {}) =>
  ({ seq: String(seq), weight: 10, space_id: 'one', ...more }) as PendingRow;

test.each([
  ['fewer than asked for', [row(1)], true, true],
  ['as many as asked for: there may be more', [row(1), row(2)], false, false],
  ['as many bytes as a batch may have', [row(1, { weight: 2 << 20 })], false, false],
])('messages that wait, %s', async (_name, rows, isAll, isComplete) => {
  const pending = new PendingBuffer<PendingRow>();
  const db = { query: async () => ({ rows, rowCount: rows.length }) } as unknown as Queryable;
  expect(await readPendingMessages(db, 'embedded', pending, 2)).toEqual({ rows, isAll });
  expect(pending.isComplete).toBe(isComplete);
});

test('of several spaces, fewer than asked for are all, but have to be read again', async () => {
  const pending = new PendingBuffer<PendingRow>();
  const rows = [row(1), row(2, { space_id: 'two' })];
  const db = { query: async () => ({ rows, rowCount: 2 }) } as unknown as Queryable;
  expect(await readPendingMessages(db, 'embedded', pending, 3)).toEqual({ rows, isAll: true });
  expect(pending.isComplete).toBe(false);
});
