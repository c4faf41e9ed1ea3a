import { en } from '@yagura/core/i18n/en/all';
import { createTranslator } from '@yagura/core/i18n/translator';
import { snapshotDifference } from '@yagura/core/sonar/snapshot';
import { expect, test } from 'vitest';
import { listInMemory } from './in-memory-list.ts';

const t = createTranslator('en', en);
const items = [
  { differenceId: 'c', addr: 'zebra' },
  { differenceId: 'b', addr: null },
  { differenceId: 'd', addr: 'Apple' },
  { differenceId: 'a', addr: null },
  { differenceId: 'e', addr: 'banana' },
];
const sorted = (sort: string) =>
  listInMemory(snapshotDifference, items, { query: { sort }, t })
    .items.map(({ differenceId }) => differenceId)
    .join('');

test('unknown values are first, last if descending, and equal ones are sorted by id', () => {
  expect(sorted('addr')).toBe('abdec');
  expect(sorted('-addr')).toBe('cedba');
});

test('texts are sorted by code point, or as the caller compares them', () => {
  const byName = items.map((item) => ({ ...item, addr: item.addr?.replace('zebra', 'Zebra') ?? null }));
  const order = (compare?: (a: string, b: string) => number) =>
    listInMemory(snapshotDifference, byName, { query: { sort: 'addr' }, t }, compare).items.map(
      ({ addr }) => addr,
    );
  expect(order()).toEqual([null, null, 'Apple', 'Zebra', 'banana']);
  expect(order(new Intl.Collator('und').compare)).toEqual([null, null, 'Apple', 'banana', 'Zebra']);
});

test('without a sort parameter the given order stays', () => {
  expect(sorted('')).toBe('cbdae');
});
