// Compares chunked scanning with a single statement over all rows, on a real database.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestStore, type TestStore } from '../../../test/support/test-store.ts';
import type { Database, Statement } from '../../db/database.ts';
import {
  type ChosenOrder,
  type ChunkedScan,
  type ScannedPage,
  scanForOrder,
  scanInChunks,
} from './chunked-scan.ts';

let store: TestStore;
let database: Database;
let statements = 0;
const counting = {
  query: <Row>(statement: Statement, values?: unknown[]) => {
    statements += 1;
    return database.query<Row>(statement, values);
  },
};

beforeAll(async () => {
  store = (await createTestStore('embedded'))!;
  database = await store.open();
  await database.query(
    'create table item (id uuid primary key, at timestamptz not null, text text not null)',
  );
  const ids = Array.from({ length: 100 }, () => randomUUID());
  // Groups of ten items share a timestamp, and every seventh contains the search term.
  await database.query(
    `insert into item select i.id, '2026-01-01T00:00:00Z'::timestamptz + (i.n / 10) * interval '1 second',
       case when i.n % 7 = 0 then 'a needle' else 'hay' end
     from unnest($1::uuid[]) with ordinality as i(id, n)`,
    [ids],
  );
}, 60_000);
afterAll(() => store.remove());

function needles(descending: boolean, word = 'needle'): ChunkedScan {
  return {
    at: 'i.at',
    id: 'i.id',
    descending,
    fromClause: (sql) => `item i where i.at >= ${sql.value('2026-01-01T00:00:02Z', 'timestamptz')}`,
    filterClause: (sql) => `i.text like ${sql.value(`%${word}%`)}`,
  };
}

async function atOnce(descending: boolean): Promise<string[]> {
  const order = descending ? 'desc' : 'asc';
  const { rows } = await database.query<{ id: string }>(
    `select id from item where text like '%needle%' and at >= '2026-01-01T00:00:02Z' order by at ${order}, id ${order}`,
  );
  return rows.map(({ id }) => id);
}

test.each([
  [true, 1],
  [true, 7],
  [true, 80],
  [true, 1000],
  [false, 3],
  [false, 10],
])('descending %s in stretches of %i gives what one statement gives', async (descending, stretch) => {
  const all = await atOnce(descending);
  const stretches = { first: stretch, longest: stretch * 3 };
  expect(all.length).toBeGreaterThan(10);
  const scan = (page: ScannedPage) => scanInChunks(database, needles(descending), page, stretches);
  expect(await scan({ offset: 0, limit: 1000, max: 1000 })).toEqual({ ids: all, count: all.length });
  expect(await scan({ offset: 0, limit: 5, max: 5 })).toEqual({ ids: all.slice(0, 5), count: 5 });
  expect(await scan({ offset: 3, limit: 4, max: 1000 })).toEqual({ ids: all.slice(3, 7), count: all.length });
  expect(await scan({ offset: 3, limit: 4, max: 8 })).toEqual({ ids: all.slice(3, 7), count: 8 });
  expect(await scan({ offset: 50, limit: 4, max: 1000 })).toEqual({ ids: [], count: all.length });
});

test('no more is read than what is asked for needs', async () => {
  statements = 0;
  const page = { offset: 0, limit: 2, max: 2 };
  expect((await scanInChunks(counting, needles(true), page, { first: 20, longest: 20 })).ids).toHaveLength(2);
  expect(statements).toBe(1);
});

test('what nothing says is looked for to the end', async () => {
  const page = { offset: 0, limit: 10, max: 10 };
  const nothing = await scanInChunks(database, needles(true, 'thimble'), page, { first: 5, longest: 30 });
  expect(nothing).toEqual({ ids: [], count: 0 });
});

test.each([
  [1, 5, 0],
  [7, 5, 0],
  [80, 3, 4],
  [1000, 100, 2],
])('another order in stretches of %i gives what one statement gives', async (stretch, limit, offset) => {
  const orderBy = (text: string, id: string) => `length(${text}) asc, ${id} desc`;
  const select = async (where: string, ids: readonly string[] = []) => {
    const { rows } = await database.query<{ id: string }>(
      `select id from item where ${where} order by ${orderBy('text', 'id')}`,
      ids.length > 0 ? [ids] : [],
    );
    return rows.map(({ id }) => id);
  };
  const order: ChosenOrder = {
    keys: { key0: 'i.text' },
    orderBy: orderBy('key0', 'id'),
    first: async (ids, max) => (await select('id = any($1::uuid[])', ids)).slice(0, max),
  };
  const stretches = { first: stretch, longest: stretch * 3 };
  const page = { offset, limit, max: 50 };
  const all = await select("at >= '2026-01-01T00:00:02Z'");
  expect(await scanForOrder(database, needles(true, ''), order, page, stretches)).toEqual({
    ids: all.slice(offset, offset + limit),
    count: 50,
  });
});
