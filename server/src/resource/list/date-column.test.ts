// Dates without a time in lists: filters in SQL match those in memory, and sorting follows the calendar.
import { matchesFilter, parseFilter } from '@yagura/core/query/filter';
import { defineResource } from '@yagura/core/resource/define-resource';
import * as field from '@yagura/core/resource/field';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestStore, storeKinds, type TestStore } from '../../../test/support/test-store.ts';
import type { Database } from '../../db/database.ts';
import { filterSql, orderOf } from './list-query.ts';
import { Sql } from './sql.ts';
import { bodyTable } from './table.ts';

const holiday = defineResource({
  app: 'pigeon',
  name: 'holiday',
  noun: { en: ['holiday', 'holidays'], ja: '休日' },
  path: '/api/apps/pigeon/holidays',
  id: 'holidayId',
  shape: z.object({ holidayId: field.uuid(), day: field.date().nullable() }),
  verbs: ['list'],
  columns: ['day'],
  permission: 'pigeon:holidays',
});
const table = bodyTable(holiday);
const days = ['9999-12-31', '0001-01-01', null, '2026-02-28', '2024-02-29', '2026-11-22', '1999-12-31'];

describe.each(storeKinds)('on %s', (engine) => {
  let store: TestStore | null;
  let database: Database;

  beforeAll(async () => {
    store = await createTestStore(engine);
    if (!store) return;
    database = await store.open();
    await database.query(
      'create table resource (id uuid primary key default gen_random_uuid(), body jsonb not null)',
    );
    await database.query(
      `insert into resource (body) select jsonb_build_object('day', day) from unnest($1::text[]) as day`,
      [days],
    );
  });
  beforeEach((context) => {
    if (!store) context.skip();
  });
  afterAll(() => store?.remove());

  const select = async (condition: string, order: string, sql: Sql) => {
    const { rows } = await database.query<{ day: string | null }>(
      `select r.body->>'day' as day from ${table.from} where ${condition} order by ${order}`,
      sql.values,
    );
    return rows.map(({ day }) => day);
  };

  test.each([
    'day eq "2024-02-29"',
    'day ne "2024-02-29"',
    'day gt "1999-12-31"',
    'day ge "1999-12-31"',
    'day lt "2026-02-28"',
    'day le "2026-02-28"',
    'day co "02"',
    'day sw "2026"',
    'day pr',
    'not (day pr)',
    'day eq null',
  ])('%s finds what it finds in memory', async (text) => {
    const filter = parseFilter(text);
    const sql = new Sql();
    const wanted = days.filter((day) => matchesFilter(filter, { day }));
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.length).toBeLessThan(days.length);
    const found = await select(filterSql(filter, table, sql), 'r.id', sql);
    expect(new Set(found)).toEqual(new Set(wanted));
    expect(found).toHaveLength(wanted.length);
  });

  test.each(['2026-02-30', '0000-01-01', 'tomorrow', '2026-11-22T00:00:00Z', ''])(
    'no day equals or precedes %j',
    async (text) => {
      for (const op of ['eq', 'lt', 'ge']) {
        const sql = new Sql();
        expect(
          await select(filterSql({ op, field: 'day', value: text } as never, table, sql), 'r.id', sql),
        ).toEqual([]);
      }
    },
  );

  test('sorts by day, missing days first', async () => {
    const order = orderOf(holiday, table, [{ field: 'day', descending: false }]);
    expect(await select('true', order, new Sql())).toEqual([
      null,
      '0001-01-01',
      '1999-12-31',
      '2024-02-29',
      '2026-02-28',
      '2026-11-22',
      '9999-12-31',
    ]);
  });
});
