// Gauges of queues: read from a real database, capped, cached, and absent when the database does not answer.
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStoreWithTables, type TestStore } from '../../../test/support/test-store.ts';
import { isoTime, ManualClock } from '../../common/clock.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { registerQueueMetrics } from './queue-metrics.ts';

let store: TestStore;
let database: Database;
let clock: ManualClock;
beforeEach(async () => {
  store = (await createStoreWithTables('embedded'))!;
  database = await store.open();
  clock = new ManualClock();
}, 120_000);
afterEach(() => store?.remove());

const intake = { waitingMessages: 3, waitingBytes: 4096 };

/** Registers the gauges; `read` returns the samples of this product by name and labels. */
function create(db: Queryable) {
  const registry = new Registry();
  const refresh = registerQueueMetrics(registry, { database: db, clock, intake });
  return async () => {
    await refresh();
    const lines = (await registry.metrics()).split('\n').filter((line) => line && !line.startsWith('#'));
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
    );
  };
}
const addJobs = (queue: string, count: number, ageMs: number) =>
  database.query(
    `insert into job (queue, run_at, payload) select $1, $2, '{}' from generate_series(1, $3::int)`,
    [queue, isoTime(clock.now() - ageMs), count],
  );

test('shows due jobs by queue with the delay of the oldest, and 0 for a queue that has become empty', async () => {
  await addJobs('delivery', 2, 7_000);
  await addJobs('delivery', 1, -60_000);
  await addJobs('mail', 10_003, 1_000);
  const read = create(database);
  expect(await read()).toEqual({
    yagura_database_up: 1,
    yagura_intake_waiting_messages: 3,
    yagura_intake_waiting_bytes: 4096,
    yagura_messages_undecided: 0,
    yagura_messages_undecided_oldest_seconds: 0,
    'yagura_jobs_due{queue="delivery"}': 2,
    'yagura_jobs_delay_seconds{queue="delivery"}': 7,
    'yagura_jobs_due{queue="mail"}': 10_000,
    'yagura_jobs_delay_seconds{queue="mail"}': 1,
  });
  await database.query(`delete from job where queue = 'mail'`);
  expect(await read()).toMatchObject({ 'yagura_jobs_due{queue="mail"}': 10_000 });
  clock.advance(5_000);
  expect(await read()).toMatchObject({
    'yagura_jobs_due{queue="mail"}': 0,
    'yagura_jobs_delay_seconds{queue="mail"}': 0,
    'yagura_jobs_delay_seconds{queue="delivery"}': 12,
  });
});

test('a database that fails or does not answer is reported as down, without old values', async () => {
  await addJobs('delivery', 1, 0);
  let mode: 'works' | 'fails' | 'hangs' = 'works';
  let queries = 0;
  const read = create({
    query(statement, values) {
      queries += 1;
      if (mode === 'fails') return Promise.reject(new Error('away'));
      return mode === 'hangs' ? new Promise(() => undefined) : database.query(statement, values);
    },
  });
  expect(await read()).toMatchObject({ yagura_database_up: 1, 'yagura_jobs_due{queue="delivery"}': 1 });
  const down = {
    yagura_database_up: 0,
    yagura_intake_waiting_messages: 3,
    yagura_intake_waiting_bytes: 4096,
  };
  mode = 'fails';
  clock.advance(5_000);
  expect(await read()).toEqual(down);
  mode = 'hangs';
  const answer = read();
  await Promise.resolve();
  clock.advance(2_000);
  expect(await answer).toEqual(down);
  const asked = queries;
  const again = read();
  await Promise.resolve();
  clock.advance(2_000);
  expect(await again).toEqual(down);
  expect(queries).toBe(asked);
});
