// A batch of expired events is found in time that does not depend on the number of all events, and the last event of each
// severity is kept.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeExpired } from '../../../src/alerthub/retention/expired-rows.ts';
import type { Database, Queryable, Statement, Transaction } from '../../../src/db/database.ts';
import { countRowsHandled } from '../../support/sql/rows-handled.ts';
import { createStoreWithTables, storeKinds, type TestStore } from '../../support/test-store.ts';

const spaceId = '00000000-0000-7000-8000-000000000001';
const until = '2026-02-01T00:00:00.000Z';

describe.each(storeKinds)('on %s', (engine) => {
  let store: TestStore | null;
  let database: Database;

  beforeAll(async () => {
    store = await createStoreWithTables(engine);
    if (store) database = await store.open();
  }, 120_000);
  beforeEach(async (context) => {
    if (!store) return context.skip();
    await database.query('delete from event');
    await database.query('delete from severity');
  });
  afterAll(() => store?.remove());

  /** One event per second from 2026-01-01 on, in turn for each of the severities. */
  const addEvents = (scopeId: string, count: number, names: readonly string[]) =>
    database.query(
      `insert into event (event_id, space_id, scope_id, severity_name, delta, previous_severity, severity, status_before,
         status, source, triggers, created_at)
       select (lpad(to_hex(1767225600000 + n * 1000), 12, '0') || '7000' || substr(md5($2 || n::text), 1, 16))::uuid, $1, $2::uuid,
         ($4::text[])[1 + n % cardinality($4::text[])], 1, n, n + 1, 'normal', 'normal', 'rule', '[]',
         timestamptz '2026-01-01T00:00:00Z' + n * interval '1 second'
       from generate_series(0, $3::int - 1) n`,
      [spaceId, scopeId, count, names],
    );
  /** As evaluation leaves them: changed at the time of their last event. */
  const addSeverities = (scopeId: string, names: readonly string[]) =>
    database.query(
      `insert into severity (space_id, scope_id, name, value, created_at, updated_at)
       select space_id, scope_id, severity_name, max(severity), min(created_at), max(created_at) from event
       where scope_id = $1 and severity_name = any($2::text[]) group by 1, 2, 3`,
      [scopeId, names],
    );
  const scopeId = (number: number) => `00000000-0000-7000-8000-00000000010${number}`;

  /** Rows handled to remove the first 50 of so many events. */
  async function work(count: number): Promise<number> {
    await addEvents(scopeId(1), count, ['default', 'other']);
    await addSeverities(scopeId(1), ['default', 'other']);
    await database.query('analyze event, severity');
    let handled = 0;
    const explaining = {
      async query(statement: Statement, values?: unknown[]) {
        handled += await countRowsHandled(database as Queryable, statement, values);
        return { rows: [{ count: 0 }], rowCount: 1 };
      },
    } as Transaction;
    await removeExpired(explaining, 'events', { spaceId, until, limit: 50, excludedIds: [] });
    await database.query('delete from event');
    await database.query('delete from severity');
    return handled;
  }

  test('a batch among eight times as many events is not more work', async () => {
    const few = await work(2_000);
    expect(await work(16_000)).toBeLessThan(2 * few);
  }, 60_000);

  test.each([
    ['of each severity', ['a', 'b', 'c']],
    ['of severities that somebody has deleted', []],
    ['of severities of which some are deleted', ['b']],
  ])('the last event %s is kept', async (_, present) => {
    for (const number of [1, 2]) {
      await addEvents(scopeId(number), 20, ['a', 'b', 'c']);
      await addSeverities(scopeId(number), present);
    }
    const remove = (limit: number) =>
      database.transaction((tx) => removeExpired(tx, 'events', { spaceId, until, limit, excludedIds: [] }));
    expect([await remove(30), await remove(30), await remove(30)]).toEqual([30, 4, 0]);
    const { rows } = await database.query<{ name: string; severity: number }>(
      'select severity_name as name, severity from event order by scope_id, severity',
    );
    const last = [
      { name: 'c', severity: 18 },
      { name: 'a', severity: 19 },
      { name: 'b', severity: 20 },
    ];
    expect(rows).toEqual([...last, ...last]);
  });
});
