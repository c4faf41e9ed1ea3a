// The keys of items in files are assigned in time proportional to their number, whatever the planner knows of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assignKeys } from '../../src/alerthub/bulk/item-keys.ts';
import type { Database, Queryable, Statement } from '../../src/db/database.ts';
import { countRowsHandled } from '../support/sql/rows-handled.ts';
import { createStoreWithTables, storeKinds, type TestStore } from '../support/test-store.ts';

describe.each(storeKinds)('on %s', (engine) => {
  let store: TestStore;
  let database: Database;
  const spaceId = '00000000-0000-7000-8000-000000000001';

  beforeAll(async () => {
    store = (await createStoreWithTables(engine))!;
    database = await store.open();
    await database.query(
      `insert into space (space_id, display_name, created_at, updated_at) values ($1, 'Test', now(), now())`,
      [spaceId],
    );
    await addItems('action', 1000);
    await addKeys('action');
    await database.query('analyze resource, bulk_key');
  }, 120_000);
  afterAll(() => store?.remove());

  const addItems = (kind: string, count: number) =>
    database.query(
      `insert into resource (space_id, kind, id, body, created_at, updated_at)
       select $1, $2, gen_random_uuid(), '{}', now(), now() from generate_series(1, $3::int)`,
      [spaceId, kind, count],
    );
  const addKeys = (kind: string) =>
    database.query(
      `insert into bulk_key (space_id, kind, id, key)
       select $1, $2, id, row_number() over () from resource where space_id = $1 and kind = $2`,
      [spaceId, kind],
    );

  /** Rows handled by the statement that looks for items without a key. */
  async function work(kind: string): Promise<number> {
    let handled = 0;
    await database.transaction(async (tx) => {
      const explaining: Queryable = {
        async query<Row>(statement: Statement, values?: unknown[]) {
          const text = typeof statement === 'string' ? statement : statement.text;
          if (!text.startsWith('insert')) return tx.query<Row>(statement, values);
          handled += await countRowsHandled(tx, statement, values);
          return { rows: [], rowCount: 0 };
        },
      };
      await assignKeys(explaining, spaceId, kind);
    });
    return handled;
  }

  test('twice as many items are twice the work, also when their keys were written just before', async () => {
    await addItems('rule', 500);
    await addKeys('rule');
    await addItems('scope', 1000);
    await addKeys('scope');
    expect((await work('scope')) / (await work('rule'))).toBeLessThan(3);
  });

  test('only items without a key get one, after the highest of the space', async () => {
    await addItems('trigger', 2);
    await addKeys('trigger');
    await addItems('trigger', 2);
    await database.transaction((tx) => assignKeys(tx, spaceId, 'trigger'));
    const { rows } = await database.query<{ key: number }>(
      `select key from bulk_key where space_id = $1 and kind = 'trigger' order by key`,
      [spaceId],
    );
    expect(rows.map(({ key }) => key)).toEqual([1, 2, 1001, 1002]);
  });
});
