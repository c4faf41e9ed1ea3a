import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startPostgresql } from '../../test/support/test-postgresql.ts';
import { createTestStore, storeKinds, type TestStore } from '../../test/support/test-store.ts';
import { type Migration, migrate } from './migrate.ts';

// Starting an engine takes seconds when the machine is busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const first: Migration = {
  number: 1,
  name: 'slot',
  up: 'CREATE TABLE slot (id int);\nINSERT INTO slot VALUES (1);',
};
const second: Migration = {
  number: 2,
  name: 'slot name',
  up: "ALTER TABLE slot ADD name text DEFAULT 'a;b'",
};
const broken: Migration = {
  number: 2,
  name: 'broken',
  up: 'CREATE TABLE half (id int); SELECT nothing FROM nowhere',
};

describe.each(storeKinds)('on %s', (kind) => {
  let store: TestStore | null = null;
  beforeEach(async (context) => {
    store = await createTestStore(kind);
    if (!store) context.skip();
  }, 60_000);
  afterEach(async () => store?.remove());

  /** Opens the database with these migrations, returns the numbers of the applied ones, and closes it. */
  async function apply(...migrations: Migration[]): Promise<number[]> {
    const database = await store!.open({ migrations });
    const { rows } = await database.query<{ number: number }>(
      'SELECT number FROM schema_migration ORDER BY applied_at, number',
    );
    await database.close();
    return rows.map(({ number }) => number);
  }

  test('runs what is missing, in order, once', async (context) => {
    if (!store) return context.skip();
    expect(await apply(first)).toEqual([1]);
    expect(await apply(first, second)).toEqual([1, 2]);
    expect(await apply(first, second)).toEqual([1, 2]);
    const database = await store.open({ migrations: [first, second] });
    expect((await database.query('SELECT * FROM slot')).rows).toEqual([{ id: 1, name: 'a;b' }]);
  });

  test('ends before the next one when asked to stop, and the next start continues', async (context) => {
    if (!store) return context.skip();
    await apply(first);
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    const opening = store.open({ migrations: [first, second], signal: stop.signal });
    await expect(opening).rejects.toThrow('stopped');
    const database = await store.open({ migrations: [first] });
    expect((await database.query('SELECT * FROM slot')).rows).toEqual([{ id: 1 }]);
    await database.close();
    expect(await apply(first, second)).toEqual([1, 2]);
  });

  test('takes numbers with gaps', async (context) => {
    if (!store) return context.skip();
    expect(await apply(first, { ...second, number: 7 })).toEqual([1, 7]);
    expect(await apply(first, { ...second, number: 7 })).toEqual([1, 7]);
  });

  test('takes line ends as they come from any checkout', async (context) => {
    if (!store) return context.skip();
    await apply(first);
    expect(await apply({ ...first, up: first.up.replaceAll('\n', '\r\n') })).toEqual([1]);
  });

  test.each<[string, Migration[], Migration[], string]>([
    [
      'a changed one',
      [first],
      [{ ...first, up: 'CREATE TABLE slot (id bigint)' }],
      'Migration 0001 slot was changed',
    ],
    [
      'a database that is newer',
      [first, second],
      [first],
      'newer than this program: it has migration 0002 slot name',
    ],
    ['a list out of order', [], [second, first], '0001 slot stands behind number 2'],
    ['a number twice', [], [first, first], '0001 slot stands behind number 1'],
    [
      'one that was added before what is applied',
      [first, { ...second, number: 3 }],
      [first, second, { ...second, number: 3 }],
      '0002 slot name is missing in the database although 0003 slot name',
    ],
  ])('refuses %s', async (_name, before, after, message) => {
    await apply(...before);
    await expect(apply(...after)).rejects.toThrow(message);
  });

  test('refuses a database that lacks an older one', async (context) => {
    if (!store) return context.skip();
    const database = await store.open({ migrations: [first, second] });
    await database.query('DELETE FROM schema_migration WHERE number = 1');
    await database.close();
    await expect(apply(first, second)).rejects.toThrow(
      '0001 slot is missing in the database although 0002 slot name',
    );
  });

  test('undoes all of one that fails, keeps those before it, and says which', async (context) => {
    if (!store) return context.skip();
    await expect(apply(first, broken)).rejects.toThrow(
      'Migration 0002 broken failed and was undone: relation "nowhere"',
    );
    expect(await apply(first)).toEqual([1]);
    const database = await store.open({ migrations: [first] });
    expect((await database.query("SELECT to_regclass('half') AS half")).rows).toEqual([{ half: null }]);
  });
});

/**
 * A client whose process is killed at the given statement (from 1): before sending it, or before receiving
 * the response.
 */
function killedAt(client: pg.Client, call: number, isSent: boolean): { client: pg.Client; calls(): number } {
  let calls = 0;
  const query = async (...given: [string]) => {
    calls += 1;
    if (calls >= call) {
      if (calls === call && isSent) await client.query(...given).catch(() => undefined);
      throw new Error('killed');
    }
    return client.query(...given);
  };
  return { client: { query } as unknown as pg.Client, calls: () => calls };
}

test('a process killed at any statement leaves tables that the next start completes', async (context) => {
  const server = await startPostgresql();
  if (!server) return context.skip();
  const steps = [first, second, { number: 3, name: 'more', up: 'CREATE TABLE more (id int)' }];
  const connected = async (url: string) => {
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  try {
    const whole = await connected(await server.createDatabase());
    const counted = killedAt(whole, Number.POSITIVE_INFINITY, false);
    expect(await migrate(counted.client, steps)).toHaveLength(3);
    await whole.end();
    for (let call = 1; call <= counted.calls(); call += 1) {
      for (const isSent of [false, true]) {
        const url = await server.createDatabase();
        // The next start is killed as well.
        for (const at of [call, 1 + (call % 7)]) {
          const client = await connected(url);
          await migrate(killedAt(client, at, isSent).client, steps).catch(() => undefined);
          // The operating system closes the connections of a dead process.
          await client.end();
        }
        const client = await connected(url);
        await migrate(client, steps);
        const { rows } = await client.query('SELECT number FROM schema_migration ORDER BY number');
        expect(rows.map(({ number }) => number)).toEqual([1, 2, 3]);
        expect((await client.query('SELECT * FROM slot')).rows).toEqual([{ id: 1, name: 'a;b' }]);
        expect((await client.query('SELECT * FROM more')).rows).toEqual([]);
        await client.end();
      }
    }
  } finally {
    await server.stop();
  }
});

test('four servers that start together on PostgreSQL migrate once', { timeout: 60_000 }, async (context) => {
  const store = await createTestStore('postgresql');
  if (!store) return context.skip();
  const slow = { ...second, up: `${second.up}; SELECT pg_sleep(0.2)` };
  const databases = await Promise.all(
    Array.from({ length: 4 }, () => store.open({ migrations: [first, slow] })),
  );
  for (const database of databases) {
    expect((await database.query('SELECT id FROM slot')).rows).toEqual([{ id: 1 }]);
  }
  await store.remove();
});
