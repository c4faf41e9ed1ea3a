// The outcome of an attempt is recorded once the database is available again; the attempt is not repeated.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import type { LogLine } from '../../src/common/log.ts';
import type { Database, Queryable } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import { Outbox, type OutboxAttempt } from '../../src/delivery/outbox.ts';
import type { SendResult } from '../../src/delivery/send-result.ts';
import { leaseMs } from '../../src/jobs/job-queue.ts';
import { trackDatabase } from '../jobs/tracked-database.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';

const sent: SendResult = {
  ...{ outcome: 'succeeded', retry: false, statusCode: 250, reply: '' },
  reason: { word: 'delivery.sent', params: {} },
};

let store: TestStore;
let database: Database;
let settled: () => Promise<void>;
let isAway: boolean;
let clock: ManualClock;
let lines: LogLine[];
let sentCount: number;
let recorded: OutboxAttempt[];
let outbox: Outbox<{ n: number }>;

beforeEach(async () => {
  store = (await createStoreWithTables('embedded'))!;
  const opened = await store.open();
  const unreliable = Object.create(opened, {
    transaction: {
      value: (...given: Parameters<Database['transaction']>) =>
        isAway ? Promise.reject(new StoreUnavailable('away')) : opened.transaction(...given),
    },
  });
  ({ database, settled } = trackDatabase(unreliable));
  [isAway, clock, lines, sentCount, recorded] = [false, new ManualClock(), [], 0, []];
  outbox = new Outbox(
    { database, clock, log: (line) => void lines.push(line), instance: 'one', random: () => 0.5 },
    {
      ...{ queue: 'notice-mail', maxConcurrent: 2, failureMessage: 'a mail was not sent' },
      async read() {
        return {
          ...{ id: 'mail', createdAt: isoTime(clock.now()) },
          async send() {
            sentCount += 1;
            isAway = true;
            return sent;
          },
        };
      },
      record: async (_tx: Queryable, _payload, attempt) => void recorded.push(attempt),
    },
  );
  await database.query(`insert into job (queue, run_at, payload) values ('notice-mail', $1, '{}')`, [
    isoTime(clock.now()),
  ]);
  await outbox.start();
  await settled();
}, 120_000);
afterEach(() => store?.remove());

const jobs = async () => (await database.query('select locked_by from job')).rows;

test('a mail that was sent while the database went away is recorded later and sent once', async () => {
  for (let second = 0; second < leaseMs / 1000 + 10; second++) {
    clock.advance(1000);
    await settled();
  }
  expect([sentCount, recorded]).toEqual([1, []]);
  isAway = false;
  clock.advance(1000);
  await outbox.idle();
  expect([sentCount, recorded]).toEqual([1, [{ number: 1, result: sent, nextAt: null }]]);
  expect(await jobs()).toEqual([]);
  expect(lines).toMatchObject([
    { level: 'warn', message: 'the outcome of an attempt could not be stored', error: 'away' },
  ]);
  await outbox.close();
});

test('a stop does not wait for the database', async () => {
  await outbox.close();
  expect([sentCount, recorded]).toEqual([1, []]);
  expect(await jobs()).toEqual([{ locked_by: 'one' }]);
});
