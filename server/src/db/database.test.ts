import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestClock } from '../../test/support/test-clock.ts';
import { createTestStore, storeKinds, type TestStore } from '../../test/support/test-store.ts';
import { RowColumns } from './binary-array.ts';
import type { Database, Transaction } from './database.ts';
import type { Migration } from './migrate.ts';
import { openDatabase } from './open-database.ts';

// Starting an engine takes seconds when the machine is busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const migrations: Migration[] = [
  {
    number: 1,
    name: 'rows',
    up: 'CREATE TABLE row (id int PRIMARY KEY, big bigint, at timestamptz(3), value jsonb)',
  },
];

test('storage needs a place', async () => {
  await expect(openDatabase({ migrations: [] })).rejects.toThrow('a data folder or a database URL');
});

describe.each(storeKinds)('on %s', (kind) => {
  let store: TestStore | null = null;
  let database: Database;

  beforeAll(async () => {
    store = await createTestStore(kind);
    if (store) database = await store.open({ migrations });
  }, 60_000);
  beforeEach((context) => {
    if (!store) context.skip();
  });
  afterAll(async () => store?.remove());
  afterEach(async () => {
    if (store) await database.query('DELETE FROM row');
  });

  const count = async () =>
    (await database.query<{ rows: number }>('SELECT count(*)::int AS rows FROM row')).rows[0]?.rows;

  test('rows in binary arrays keep their values', async () => {
    interface Row {
      id: string | null;
      note: string | null;
      list: string | null;
      at: string | null;
      amount: number | null;
      ok: boolean | null;
      bytes: Buffer | null;
    }
    const columns = new RowColumns<Row>({
      id: ['uuid', (row) => row.id],
      note: ['text', (row) => row.note],
      list: ['jsonb', (row) => row.list],
      at: ['timestamptz', (row) => row.at],
      amount: ['int4', (row) => row.amount],
      ok: ['bool', (row) => row.ok],
      bytes: ['bytea', (row) => row.bytes],
    });
    const row = fc.record<Row>({
      id: fc.option(fc.uuid()),
      note: fc.option(fc.constantFrom('', 'up', '停止')),
      list: fc.option(fc.constantFrom('[]', '[1, "é"]')),
      at: fc.option(fc.constantFrom('1999-12-31T23:59:59.999Z', '2026-01-02T03:04:05.678Z')),
      amount: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      ok: fc.option(fc.boolean()),
      bytes: fc.option(fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from(bytes))),
    });
    // Repeats, because a value that is equal to the one before it is copied.
    const rows = fc.array(
      fc
        .tuple(row, fc.integer({ min: 1, max: 3 }))
        .map(([one, times]) => Array.from({ length: times }, () => one)),
    );
    await fc.assert(
      fc.asyncProperty(rows, async (list) => {
        const sent = list.flat();
        const { rows: read } = await database.query(
          `select id, note, list::text as list, at, amount, ok, bytes from ${columns.unnestSql(1, 'position')} order by position`,
          columns.toParameters(sent),
        );
        expect(read).toEqual(sent);
      }),
      { numRuns: 50 },
    );
  });

  test.each(['', '0', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1g'])(
    '"%s" is no id in a binary array',
    (id) => {
      const columns = new RowColumns<string>({ id: ['uuid', (value) => value] });
      expect(() => columns.toParameters([id])).toThrow(`"${id}" is no UUID`);
      expect(() => columns.toParameters([`${id}-0000-0000-0000-000000000000`])).toThrow('is no UUID');
    },
  );

  test('values keep their meaning', async () => {
    const result = await database.query(
      `INSERT INTO row VALUES (1, 9007199254740993, '2026-01-02T12:04:05.678+09:00', $1) RETURNING *, at::date AS day, id::numeric AS number`,
      [{ text: '"漢字"', list: [1, null] }],
    );
    expect(result).toEqual({
      rowCount: 1,
      rows: [
        {
          id: 1,
          big: '9007199254740993',
          at: '2026-01-02T03:04:05.678Z',
          value: { text: '"漢字"', list: [1, null] },
          day: '2026-01-02',
          number: '1',
        },
      ],
    });
  });

  test('a hundred statements at once all get their own answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, id) =>
        database.query<{ id: number }>(
          { name: 'add_row', text: 'INSERT INTO row (id) VALUES ($1) RETURNING id' },
          [id],
        ),
      ),
    );
    expect(answers.map(({ rows }) => rows[0]?.id)).toEqual(Array.from({ length: 100 }, (_, id) => id));
    expect(await count()).toBe(100);
  });

  test('an error concerns its own statement only', async () => {
    const answers = await Promise.allSettled(
      [1, 2, 1, 3].map((id) => database.query('INSERT INTO row (id) VALUES ($1)', [id])),
    );
    const codes = answers.map((answer) => (answer.status === 'rejected' ? answer.reason.code : 'ok'));
    expect(codes.sort()).toEqual(['23505', 'ok', 'ok', 'ok']);
    expect(await count()).toBe(3);
  });

  test('a text is one statement, never a script', async () => {
    await expect(database.query('SELECT 1; DROP TABLE row')).rejects.toMatchObject({ code: '42601' });
    expect(await count()).toBe(0);
  });

  describe('a transaction', () => {
    test('commits what it did and gives the result', async () => {
      const result = await database.transaction(async (tx) => {
        await tx.query('INSERT INTO row (id) VALUES (1)');
        return (await tx.query('INSERT INTO row (id) VALUES (2)')).rowCount;
      });
      expect(result).toBe(1);
      expect(await count()).toBe(2);
    });

    test('takes several statements at once', async () => {
      const warnings: string[] = [];
      const note = ({ message }: Error) => warnings.push(message);
      process.on('warning', note);
      const numbers = await database.transaction((tx) =>
        Promise.all([1, 2, 3].map((number) => tx.query('SELECT $1::int AS number', [number]))),
      );
      // Warnings are emitted in the next turn.
      await new Promise((resolve) => setImmediate(resolve));
      process.off('warning', note);
      expect(numbers.map(({ rows }) => rows)).toEqual([[{ number: 1 }], [{ number: 2 }], [{ number: 3 }]]);
      expect(warnings).toEqual([]);
    });

    test('is rolled back when its callback throws', async () => {
      const failing = database.transaction(async (tx) => {
        await tx.query('INSERT INTO row (id) VALUES (1)');
        throw new Error('on purpose');
      });
      await expect(failing).rejects.toThrow('on purpose');
      expect(await count()).toBe(0);
    });

    test('that swallowed an error does not pretend to have committed', async () => {
      const failing = database.transaction(async (tx) => {
        await tx.query('INSERT INTO row (id) VALUES (1)');
        await tx.query('SELECT nothing').catch(() => {});
      });
      await expect(failing).rejects.toThrow('all of it was rolled back');
      expect(await count()).toBe(0);
    });

    test.each<[string, (inner: Database) => Promise<unknown>]>([
      ['query', (inner) => inner.query('SELECT 1')],
      ['transaction', (inner) => inner.transaction(async () => {})],
      ['notify', (inner) => inner.notify('changes', '')],
    ])('refuses database.%s inside instead of waiting for ever', async (call, use) => {
      const nested = database.transaction(async (tx) => {
        await tx.query('INSERT INTO row (id) VALUES (1)');
        await use(database);
      });
      await expect(nested).rejects.toThrow(`${call} was called inside a transaction`);
      expect(await count()).toBe(0);
    });

    test('leaves other databases usable inside, and refuses its own even inside a transaction of those', async () => {
      const otherStore = (await createTestStore('embedded'))!;
      const other = await otherStore.open({ migrations });
      try {
        await database.transaction(async () => {
          await expect(other.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
          await other.transaction(async () => {
            await expect(database.query('SELECT 1')).rejects.toThrow('inside a transaction');
          });
          await expect(other.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
        });
      } finally {
        await other.close();
        await otherStore.remove();
      }
    });

    test('without the check, no promise of the process is followed', async () => {
      const ownStore = (await createTestStore(kind))!;
      const own = await ownStore.open({ migrations, refuseNestedCalls: false });
      const run = vi.spyOn(AsyncLocalStorage.prototype, 'run');
      try {
        await own.transaction((tx) => tx.query('SELECT 1'));
        expect(run).not.toHaveBeenCalled();
      } finally {
        run.mockRestore();
        await ownStore.remove();
      }
    });

    test('lets work that it started use the database once it is over', async () => {
      let goOn = () => {};
      const over = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      let later: Promise<number | undefined> = Promise.resolve(undefined);
      await database.transaction(async () => {
        later = over.then(count);
      });
      goOn();
      expect(await later).toBe(0);
    });

    test('cannot be used when it is over', async () => {
      let kept: Transaction | undefined;
      await database.transaction(async (tx) => {
        kept = tx;
      });
      await expect(kept?.query('SELECT 1')).rejects.toThrow('The transaction is over');
    });

    test('is rolled back when its callback does not wait for a statement', async () => {
      let statement: Promise<unknown> = Promise.resolve();
      const hasty = database.transaction(async (tx) => {
        await tx.query('INSERT INTO row (id) VALUES (1)');
        statement = tx.query('INSERT INTO row (id) VALUES (2)');
      });
      await expect(hasty).rejects.toThrow('was not awaited');
      await statement;
      expect(await count()).toBe(0);
      await database.transaction(async (tx) => {
        await Promise.all([3, 4].map((id) => tx.query('INSERT INTO row (id) VALUES ($1)', [id])));
      });
      expect(await count()).toBe(2);
    });

    test('and single statements take turns', async () => {
      const work = Array.from({ length: 60 }, (_, id) =>
        id % 3 === 0
          ? database.transaction((tx) => tx.query('INSERT INTO row (id) VALUES ($1)', [id]))
          : database.query('INSERT INTO row (id) VALUES ($1)', [id]),
      );
      await Promise.all(work);
      expect(await count()).toBe(60);
    });
  });

  describe('notifications', () => {
    test('reach every listener of the channel until it stops listening', async () => {
      const heard: string[] = [];
      const next = createSignal();
      const stop = await database.listen('changes', (payload) => heard.push(payload));
      const stopOther = await database.listen('changes', next.give);
      await database.notify('other', 'no');
      await database.notify('changes', 'あ');
      expect(await next.value()).toBe('あ');
      await stop();
      await database.notify('changes', 'two');
      expect(await next.value()).toBe('two');
      await stopOther();
      expect(heard).toEqual(['あ']);
    });

    test('of a transaction are sent when it commits, and only then', async () => {
      const next = createSignal();
      const stop = await database.listen('changes', next.give);
      const failing = database.transaction(async (tx) => {
        await tx.notify('changes', 'rolled back');
        throw new Error('on purpose');
      });
      await expect(failing).rejects.toThrow('on purpose');
      await database.transaction(async (tx) => {
        await tx.notify('changes', 'committed');
      });
      expect(await next.value()).toBe('committed');
      await stop();
    });

    test('have limits that are the same everywhere', async () => {
      await expect(database.notify('changes', 'x'.repeat(8_000))).rejects.toThrow('at most 7999');
      await expect(database.notify('Not a name', '')).rejects.toThrow(RangeError);
      await expect(database.listen('Not a name', () => {})).rejects.toThrow(RangeError);
    });
  });
});

test('a transaction that takes too long is rolled back and blocks nobody', { timeout: 60_000 }, async () => {
  const clock = createTestClock();
  const store = await createTestStore('embedded');
  const database = await store!.open({ migrations, clock, transactionTimeoutMs: 5_000 });
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const stuck = database.transaction(async (tx) => {
    await tx.query('INSERT INTO row (id) VALUES (1)');
    begun();
    await new Promise(() => {});
  });
  const tooLong = expect(stuck).rejects.toThrow('took longer than 5000 ms and was rolled back');
  await hasBegun;
  const waiting = database.query('SELECT count(*)::int AS rows FROM row');
  await clock.advance(5_000);
  await tooLong;
  expect((await waiting).rows).toEqual([{ rows: 0 }]);
  await store!.remove();
});

test('what is kept survives closing and opening again', { timeout: 60_000 }, async () => {
  const store = await createTestStore('embedded');
  const first = await store!.open({ migrations });
  const running = first.query('INSERT INTO row (id) SELECT generate_series(1, 1000)');
  await Promise.all([running, first.close()]);
  const second = await store!.open({ migrations });
  expect((await second.query('SELECT count(*)::int AS rows FROM row')).rows).toEqual([{ rows: 1_000 }]);
  await expect(store!.open({ migrations })).rejects.toThrow(`in use by process ${process.pid}`);
  await store!.remove();
});

/** A listener whose payloads can be awaited one by one. */
function createSignal(): { give: (payload: string) => void; value: () => Promise<string> } {
  const given: string[] = [];
  const wanted: ((payload: string) => void)[] = [];
  return {
    give: (payload) => {
      const want = wanted.shift();
      if (want) want(payload);
      else given.push(payload);
    },
    value: async () => given.shift() ?? new Promise((resolve) => wanted.push(resolve)),
  };
}
