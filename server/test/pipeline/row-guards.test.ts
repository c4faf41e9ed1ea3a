// A row on which the database does not respond is put off only while the database responds otherwise.
import { expect, test } from 'vitest';
import { guardDueRunbooks, guardDueTriggers, guardMessages } from '../../src/alerthub/pipeline/row-guards.ts';
import { ManualClock } from '../../src/common/clock.ts';
import type { Change } from '../../src/db/change-bus.ts';
import type { Database, Queryable, Statement } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';

const away = new StoreUnavailable('no response');
const key = { seq: '1', messageId: 'message' };
type Deps = Parameters<typeof guardMessages>[0];
type RunSeparately = (work: (db: Queryable) => Promise<Change[]>) => Promise<void>;

/** A database that records its statements, or is away. */
function start(isAway: boolean) {
  const order: string[] = [];
  const database = {
    async query(statement: Statement) {
      if (isAway) throw away;
      const text = typeof statement === 'string' ? statement : statement.text;
      order.push(/(insert into|update|select attempts|select 1)\b/.exec(text)![0]);
      return { rows: [], rowCount: 0 };
    },
  } as unknown as Database;
  const deps = { database, clock: new ManualClock(), nextId: () => 'id', log: () => {} } as Deps;
  const runSeparately: RunSeparately = async (work) => {
    order.push('turn begins');
    await work(database);
    order.push('turn ends');
  };
  return { order, deps, runSeparately };
}

const guards = {
  messages: ({ deps, runSeparately, order }: ReturnType<typeof start>) =>
    guardMessages(deps, runSeparately, {
      maxBatchSize: 1,
      work: async (_size, onFirst) => {
        onFirst(key);
        throw away;
      },
      onPostponed: () => void order.push('told'),
    }),
  'waiting triggers': ({ deps, runSeparately }: ReturnType<typeof start>) =>
    guardDueTriggers(deps, runSeparately, async (_size, onFirst) => {
      onFirst('trigger');
      throw away;
    }),
  runbooks: ({ deps, runSeparately }: ReturnType<typeof start>) =>
    guardDueRunbooks(deps, runSeparately, async (_size, onFirst) => {
      onFirst('record');
      throw away;
    }),
};

/** Runs turns until one reports that nothing is left to do; counts those that fail. */
async function runTurns(guard: { runBatch(): Promise<boolean> }): Promise<number> {
  let failures = 0;
  for (let turn = 0; turn < 9; turn += 1) {
    try {
      if (!(await guard.runBatch())) break;
    } catch (error) {
      expect(error).toBe(away);
      failures += 1;
    }
  }
  return failures;
}

test('a message is put off in a turn of its own, and that is told after it', async () => {
  const line = start(false);
  expect(await runTurns(guards.messages(line))).toBe(2);
  expect(line.order).toEqual([
    'select 1',
    ...['turn begins', 'select attempts', 'insert into', 'turn ends'],
    'told',
  ]);
});

test.each(['waiting triggers', 'runbooks'] as const)('one of the %s is put off', async (name) => {
  const line = start(false);
  // As a batch first, then alone.
  expect(await runTurns(guards[name](line))).toBe(4);
  expect(line.order).toEqual(['select 1', 'select 1', 'update', 'update']);
});

test.each(['messages', 'waiting triggers', 'runbooks'] as const)(
  'none of the %s is suspected while the database is away',
  async (name) => {
    const line = start(true);
    expect(await runTurns(guards[name](line))).toBe(9);
    expect(line.order).toEqual([]);
  },
);
