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

test('a page is as long as asked for, otherwise whole, and its total counts what matches', () => {
  const list = (query: Record<string, string>) => {
    const { items: page, ...rest } = listInMemory(snapshotDifference, items, { query, t });
    return { ids: page.map(({ differenceId }) => differenceId).join(''), ...rest };
  };
  expect(list({})).toEqual({ ids: 'cbdae', total: 5, limit: 5, offset: 0 });
  expect(list({ limit: '2', offset: '1' })).toEqual({ ids: 'bd', total: 5, limit: 2, offset: 1 });
  expect(list({ offset: '4' })).toEqual({ ids: 'e', total: 5, limit: 5, offset: 4 });
  expect(list({ limit: '2', offset: '5' })).toEqual({ ids: '', total: 5, limit: 2, offset: 5 });
  expect(list({ filter: 'addr pr', limit: '2' })).toEqual({ ids: 'cd', total: 3, limit: 2, offset: 0 });
});

test('the first of several sort keys that differs decides, and the list itself is not changed', () => {
  const pairs = [
    { differenceId: 'a', addr: 'x' },
    { differenceId: 'b', addr: 'y' },
    { differenceId: 'c', addr: 'x' },
  ];
  const order = (sort: string) =>
    listInMemory(snapshotDifference, pairs, { query: { sort }, t })
      .items.map(({ differenceId }) => differenceId)
      .join('');
  expect([order('addr,-differenceId'), order('-addr,differenceId'), order('-addr')]).toEqual([
    ...['cab', 'bac', 'bca'],
  ]);
  expect(pairs.map(({ differenceId }) => differenceId).join('')).toBe('abc');
});
