// Which messages a turn of the pipeline decides, and when: at the start, when they are stored, later or never.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { isoTime } from '../../src/common/clock.ts';
import type { Database, Statement } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import { OutdatedBatch } from '../../src/jobs/poison-row-guard.ts';
import { createTestPipeline } from '../pipeline/start-pipeline.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';

let store: TestStore;
let database: Database;
let query: Database['query'];
let line: ReturnType<typeof createTestPipeline>;

beforeAll(async () => {
  store = (await createStoreWithTables('embedded'))!;
  database = await store.open();
  query = database.query.bind(database);
}, 120_000);
beforeEach(() => {
  line = createTestPipeline(database);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await line?.pipeline.close();
  await line?.deliveries.close();
  await database.query('delete from message_pending');
});
afterAll(() => store?.remove());

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Calls `fate` for each statement whose name begins with one of these words. */
function intercept(names: string[], fate: (run: () => Promise<unknown>) => Promise<unknown>): void {
  vi.spyOn(database, 'query').mockImplementation(((statement: Statement, values?: unknown[]) => {
    const run = () => query(statement, values);
    const isMeant = typeof statement !== 'string' && names.some((name) => statement.name.startsWith(name));
    return isMeant ? fate(run) : run();
  }) as Database['query']);
}

/** Holds the first statement with such a name; `isHeld` resolves once it is there. */
function hold(...names: string[]) {
  let [free, reached] = [() => {}, () => {}];
  const isHeld = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const freed = new Promise<void>((resolve) => {
    free = resolve;
  });
  intercept(names, async (run) => {
    reached();
    await freed;
    return run();
  });
  return { free: () => free(), isHeld };
}

const number = async (text: string, values: unknown[]) =>
  Number((await query<{ n: number }>(text, values)).rows[0]!.n);
const decidedOf = (spaceId: string) =>
  number('select count(*)::int as n from decision where space_id = $1', [spaceId]);

test('messages that wait when it starts are decided, and those of others within a second', async () => {
  const { messages, spaceId } = await line.addSpace();
  await line.store(messages(2));
  line.pipeline.start();
  await line.pipeline.idle();
  expect(line.batches).toEqual([2]);
  await line.store(messages(1));
  await line.advance(999);
  expect(line.batches).toEqual([2]);
  await line.advance(1);
  expect(line.batches).toEqual([2, 1]);
  expect(await decidedOf(spaceId)).toBe(3);
});

test('messages that this process has stored are decided at once, without being read back', async () => {
  const { messages, spaceId } = await line.addSpace();
  line.pipeline.start();
  await line.pipeline.idle();
  let reads = 0;
  intercept(['take-'], (run) => {
    reads += 1;
    return run();
  });
  line.pipeline.addStored(await line.store(messages(3)));
  await line.pipeline.idle();
  expect([line.batches, await decidedOf(spaceId), reads]).toEqual([[3], 3, 0]);
  // Others may have stored some: they are read.
  await line.store(messages(1));
  line.pipeline.addStored(undefined);
  await line.pipeline.idle();
  expect([line.batches, reads > 0]).toEqual([[3, 1], true]);
});

test('a batch has at most 500 messages of one space, in order of arrival', async () => {
  const [one, other] = [await line.addSpace(), await line.addSpace()];
  await line.store([...one.messages(1), ...other.messages(2), ...one.messages(501)]);
  line.pipeline.start();
  await line.pipeline.idle();
  // Of the first 500, those of the first space, then those of the other.
  expect(line.batches).toEqual([498, 2, 4]);
  expect([await decidedOf(one.spaceId), await decidedOf(other.spaceId)]).toEqual([502, 2]);
});

test.each([
  ['is away', new StoreUnavailable('away'), 'warn'],
  ['reports that another has decided them', new OutdatedBatch('decided elsewhere'), 'error'],
])('a batch is tried again within a second when the database %s', async (_what, error, level) => {
  const { messages } = await line.addSpace();
  line.pipeline.start();
  await line.pipeline.idle();
  let failures = 1;
  intercept(['apply'], (run) => (failures-- > 0 ? Promise.reject(error) : run()));
  line.pipeline.addStored(await line.store(messages(2)));
  await line.pipeline.idle();
  expect(line.logLines).toMatchObject([{ level, message: 'deciding failed, will be tried again' }]);
  await line.advance(999);
  expect(line.batches).toEqual([]);
  await line.advance(1);
  expect(line.batches).toEqual([2]);
});

test('a message stored and decided at once waits for the batch before it', async () => {
  const { messages, spaceId } = await line.addSpace();
  line.pipeline.start();
  await line.pipeline.idle();
  const { free, isHeld } = hold('apply');
  line.pipeline.addStored(await line.store(messages(2)));
  await isHeld;
  const outcomes: boolean[] = [];
  const stored = line.pipeline
    .storeAndDecide(await line.journal(messages(1)))
    .then((isDone) => void outcomes.push(isDone));
  await turns();
  expect(outcomes).toEqual([]);
  free();
  await stored;
  expect(outcomes).toEqual([true]);
  expect(line.batches).toEqual([2, 1]);
  expect(await decidedOf(spaceId)).toBe(3);
  const inOrder = line.published.filter(({ resource }) => resource === 'message').map(({ op }) => op);
  expect(inOrder).toEqual(['update', 'update', 'create', 'update']);
});

/** Messages that cannot be stored and decided at once, and what was done before. */
const refusals: [string, () => Promise<boolean>][] = [
  ['there is none', () => line.pipeline.storeAndDecide([])],
  [
    'they are of two spaces',
    async () => {
      const [one, other] = [await line.addSpace(), await line.addSpace()];
      return line.pipeline.storeAndDecide(await line.journal([...one.messages(1), ...other.messages(1)]));
    },
  ],
  [
    'another has taken over their journal',
    async () => {
      const rows = await line.journal((await line.addSpace()).messages(1));
      await query('update intake_journal set ended_at = now()');
      return line.pipeline.storeAndDecide(rows);
    },
  ],
  [
    'others may be waiting that this process does not know',
    async () => {
      line.pipeline.addStored(undefined);
      await line.pipeline.close();
      return line.pipeline.storeAndDecide(await line.journal((await line.addSpace()).messages(1)));
    },
  ],
  [
    'their rules create a scope, which may fail',
    async () => {
      const space = await line.addSpace();
      const scopeName = { template: 'new' };
      await space.addRule({
        conditionalEventParams: [
          {
            attributes: [{ name: 'site', op: 'eq', value: 'here' }],
            ...{ scopeName, createScope: true, severityName: { literal: 'default' }, delta: 1 },
          },
        ],
      });
      return line.pipeline.storeAndDecide(await line.journal(space.messages(1)));
    },
  ],
  [
    'they generate more than a batch may have',
    async () => {
      const space = await line.addSpace();
      const target = { kind: 'action', id: await space.addAction('x'.repeat(1_000_000)) };
      await space.addScope(...Array.from({ length: 17 }, () => ({ target })));
      return line.pipeline.storeAndDecide(await line.journal(space.messages(2)));
    },
  ],
];
test.each(refusals)('messages are not stored and decided at once where %s', async (_where, attempt) => {
  line.pipeline.start();
  await line.pipeline.idle();
  const before = await number('select count(*)::int as n from message', []);
  expect(await attempt()).toBe(false);
  expect(await number('select count(*)::int as n from message', [])).toBe(before);
  expect(line.batches).toEqual([]);
});

test('after a failure messages are stored first until those that wait are decided', async () => {
  const { messages } = await line.addSpace();
  line.pipeline.start();
  await line.pipeline.idle();
  let [tries, isAway] = [0, true];
  intercept(['store-and-decide'], (run) => {
    tries += 1;
    return isAway ? Promise.reject(new StoreUnavailable('away')) : run();
  });
  const atOnce = async () => line.pipeline.storeAndDecide(await line.journal(messages(1)));
  await expect(atOnce()).rejects.toThrow('away');
  isAway = false;
  expect([await atOnce(), tries]).toEqual([false, 1]);
  line.pipeline.addStored(await line.store(messages(1)));
  await line.pipeline.idle();
  expect(line.batches).toEqual([1]);
  expect([await atOnce(), tries]).toEqual([true, 2]);
});

test('decided messages send their actions and set the timers of what waits', async () => {
  const space = await line.addSpace();
  const target = { kind: 'action', id: await space.addAction('body') };
  const later = {
    conditionId: 'event-value-after',
    params: { seconds: 10, value: 'latest', comparison: 'ge', number: 1 },
  };
  await space.addScope({ target }, { target, conditions: [later] });
  line.pipeline.start();
  await line.pipeline.idle();
  expect(await line.pipeline.storeAndDecide(await line.journal(space.messages(1)))).toBe(true);
  expect(line.deliveriesSent).toHaveLength(1);
  await line.pipeline.idle();
  await line.advance(9999);
  expect(line.deliveriesSent).toHaveLength(1);
  await line.advance(1);
  expect(line.deliveriesSent).toHaveLength(2);
});

test('a message that was set aside is decided when its time has come', async () => {
  const { messages, spaceId } = await line.addSpace();
  const [message] = await line.store(messages(1));
  await query('delete from message_pending');
  await query(
    `insert into message_set_aside (message_id, space_id, attempts, due_at, reason) values ($1, $2, 1, $3, '{}')`,
    [message!.messageId, spaceId, isoTime(line.clock.now() + 500)],
  );
  line.pipeline.start();
  await line.pipeline.idle();
  await line.advance(499);
  expect(line.batches).toEqual([]);
  await line.advance(1);
  expect(line.batches).toEqual([1]);
});

test('a closed pipeline ends its batch and begins no other', async () => {
  const { messages } = await line.addSpace();
  await line.store(messages(501));
  const { free, isHeld } = hold('apply');
  line.pipeline.start();
  await isHeld;
  const order: string[] = [];
  const closed = line.pipeline.close().then(() => order.push('closed'));
  await turns();
  order.push('freed');
  free();
  await closed;
  expect(order).toEqual(['freed', 'closed']);
  await line.pipeline.idle();
  expect(line.batches).toEqual([500]);
  line.pipeline.addStored(await line.store(messages(1)));
  await line.pipeline.idle();
  await line.advance(5000);
  expect(line.batches).toEqual([500]);
});

test('a created scope is written to the audit log at once, and waited for', async () => {
  await line.pipeline.close();
  const order: string[] = [];
  let free = () => {};
  const held = new Promise<void>((resolve) => {
    free = resolve;
  });
  line = createTestPipeline(database, async () => {
    order.push('begun');
    await held;
    order.push('written');
  });
  const space = await line.addSpace();
  await space.addRule({
    conditionalEventParams: [
      {
        attributes: [{ name: 'site', op: 'eq', value: 'here' }],
        scopeName: { template: 'new' },
        ...{ createScope: true, severityName: { literal: 'default' }, delta: 1 },
      },
    ],
  });
  line.pipeline.start();
  await line.pipeline.idle();
  line.pipeline.addStored(await line.store(space.messages(1)));
  await vi.waitFor(() => expect(order).toEqual(['begun']));
  const idle = line.pipeline.idle().then(() => order.push('idle'));
  const closed = line.pipeline.close().then(() => order.push('closed'));
  await turns();
  expect(order).toEqual(['begun']);
  free();
  await Promise.all([idle, closed]);
  expect(order.slice(0, 2)).toEqual(['begun', 'written']);
});

test('a pause for the intake ends early when a message is to be decided at once', async () => {
  const { messages } = await line.addSpace();
  line.pipeline.start();
  await line.pipeline.idle();
  const { free, isHeld } = hold('apply');
  line.pipeline.addStored(await line.store(messages(1)));
  await isHeld;
  const arrivals = await line.journal(messages(1));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    // It is to look again after the batch that is being stored, and pauses before it does.
    line.pipeline.wake();
    free();
    while (vi.getTimerCount() === 0) await turns();
    expect(line.batches).toEqual([1]);
    expect(await line.pipeline.storeAndDecide(arrivals)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
