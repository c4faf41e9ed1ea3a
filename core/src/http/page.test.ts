// Reading a long list in order of time from page to page.
import { expect, test } from 'vitest';
import { fetchAllPages, type ListQuery, type PageQuery, timeOrder } from './page.ts';

interface Row {
  id: number;
  at: string;
}

/** Twelve rows of each millisecond, but the whole second half in one. */
const rows: Row[] = Array.from({ length: 9000 }, (_, id) => ({
  id,
  at: new Date(1_700_000_000_000 + Math.floor(Math.min(id, 4500) / 12)).toISOString(),
}));

async function readAll(sort: string, query: ListQuery = {}) {
  const asked: PageQuery[] = [];
  const inOrder = sort.startsWith('-') ? rows.toReversed() : rows;
  const fetchPage = async (request: PageQuery) => {
    asked.push(request);
    const { sinceAt = '', untilAt = '9', limit = 10, offset = 0 } = request;
    const all = inOrder.filter(({ at }) => at >= sinceAt && at < untilAt);
    return { items: all.slice(offset, offset + limit), total: all.length, limit, offset };
  };
  const found: number[] = [];
  const order = timeOrder<Row>({ app: 'alerthub', time: 'at', defaultSort: '-at' }, sort);
  for await (const { id } of fetchAllPages(fetchPage, query, (row) => row.id, order)) found.push(id);
  return { found, asked, ids: inOrder.map(({ id }) => id) };
}

test.each(['at', '-at'])('all are read once by %s, and few are skipped by the server', async (sort) => {
  const { found, asked, ids } = await readAll(sort);
  expect(found).toEqual(ids);
  // Only the rows of one millisecond are skipped.
  const far = asked.filter(({ offset = 0 }) => offset > 2000);
  expect(far.every(({ sinceAt, untilAt }) => (sinceAt ?? untilAt) !== undefined)).toBe(true);
  expect(Math.max(...asked.map(({ offset = 0 }) => offset))).toBeLessThan(7000);
});

test('what is beyond a page need not be counted', async () => {
  const { asked } = await readAll('id');
  expect(asked.every(({ countsAll }) => countsAll === false)).toBe(true);
});

test('an offset and a period of the caller hold', async () => {
  const { found, ids } = await readAll('-at', { offset: 2500 });
  expect(found).toEqual(ids.slice(2500));
  const untilAt = rows[3000]!.at;
  const before = await readAll('-at', { untilAt });
  expect(before.found).toEqual(ids.filter((id) => rows[id]!.at < untilAt));
});

test('another order has no time', () => {
  const resource = { app: 'alerthub', time: 'at', defaultSort: '-at' };
  expect(timeOrder(resource, 'id')).toBeUndefined();
  expect(timeOrder(resource, 'at,id')).toBeUndefined();
  expect(timeOrder({ ...resource, time: undefined, defaultSort: 'name' })).toBeUndefined();
  expect(timeOrder({ ...resource, app: 'greac' })).toBeUndefined();
  expect(timeOrder(resource)?.descending).toBe(true);
});
