// A process keeps the leases of the jobs it works on for as long as it works on them, and no others.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import type { LogLine } from '../../src/common/log.ts';
import type { Database } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import { JobQueue, leaseMs } from '../../src/jobs/job-queue.ts';
import { JobLeases } from '../../src/jobs/leases/job-leases.ts';
import { QueueWorker } from '../../src/jobs/queue-worker.ts';
import { refuseRows } from '../support/sql/refuse-rows.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';
import { trackDatabase } from './tracked-database.ts';

type Payload = { n: number };

let store: TestStore;
let database: Database;
let settled: () => Promise<void>;
let isAway: boolean;
let clock: ManualClock;
let lines: LogLine[];

beforeAll(async () => {
  store = (await createStoreWithTables('embedded'))!;
  const opened = await store.open();
  const guarded = Object.create(opened, {
    query: {
      value: (...given: Parameters<Database['query']>) =>
        isAway ? Promise.reject(new StoreUnavailable('away')) : opened.query(...given),
    },
  });
  ({ database, settled } = trackDatabase(guarded));
}, 120_000);
afterAll(() => store?.remove());
beforeEach(() => {
  isAway = false;
  clock = new ManualClock();
  lines = [];
});
afterEach(() => database.query('delete from job'));

const log = (line: LogLine) => void lines.push(line);
const queueOf = (instance: string) => new JobQueue<Payload>({ database, clock, instance }, 'notice-mail');
const addJobs = async (...numbers: number[]) => {
  for (const n of numbers) await queueOf('any').add(database, null, { n });
};
/** Milliseconds that the lease of each job still lasts; null if nobody holds it. */
const remaining = async () =>
  (
    await database.query<{ at: string; owner: string | null }>(
      `select run_at as at, locked_by as owner from job order by payload->'n'`,
    )
  ).rows.map(({ at, owner }) => (owner ? Date.parse(at) - clock.now() : null));
const advance = async (milliseconds: number) => {
  clock.advance(milliseconds);
  await settled();
};

describe('leases', () => {
  let leases: JobLeases;
  let lost: string[];
  /** Ids of the jobs, in order of their numbers. */
  let ids: string[];

  /** Claims three jobs and holds them. */
  beforeEach(async () => {
    await addJobs(1, 2, 3);
    const jobs = await queueOf('one').claim(3);
    ids = jobs.toSorted((a, b) => a.payload.n - b.payload.n).map(({ id }) => id);
    lost = [];
    leases = new JobLeases({ database, clock, log, instance: 'one' }, (some) => void lost.push(...some));
    leases.hold(ids, clock.now());
    leases.start();
  });
  afterEach(() => leases.close());

  test('are renewed from 20 s on, until they are released or no longer held', async () => {
    await advance(19_999);
    expect(await remaining()).toEqual(Array(3).fill(leaseMs - 19_999));
    leases.release([ids[1]!]);
    await database.query(`update job set locked_by = 'other' where id = $1`, [ids[2]]);
    await advance(1);
    expect(await remaining()).toEqual([leaseMs, leaseMs - 20_000, leaseMs - 20_000]);
    expect(lost).toEqual([ids[2]]);
    for (let minute = 0; minute < 10; minute++) await advance(60_000);
    expect(await remaining()).toEqual([leaseMs, -500_000, -500_000]);
    await leases.close();
    await advance(20_000);
    expect((await remaining())[0]).toBe(leaseMs - 20_000);
  });

  test('cover an attempt until half of their time has passed, and again when they are renewed', async () => {
    isAway = true;
    await advance(60_000);
    expect(ids.map((id) => leases.coversAttempt(id))).toEqual([true, true, true]);
    await advance(1);
    expect(ids.map((id) => leases.coversAttempt(id))).toEqual([false, false, false]);
    expect(lines[0]).toMatchObject({ level: 'warn', error: 'away' });
    isAway = false;
    await leases.renewNow();
    expect(ids.map((id) => leases.coversAttempt(id))).toEqual([true, true, true]);
    expect([leases.coversAttempt('0'), lost]).toEqual([false, []]);
  });

  test('that are released during their renewal are not held again', async () => {
    clock.advance(20_000);
    leases.release(ids);
    await settled();
    expect(leases.ids).toEqual([]);
  });

  test('a lease that cannot be renewed is reported as lost and does not affect the others', async () => {
    const end = await refuseRows(() => database, 'job', `new.payload->>'n' = '2'`, 'update');
    await advance(20_000);
    await end();
    expect(await remaining()).toEqual([leaseMs, leaseMs - 20_000, leaseMs]);
    expect(lost).toEqual([ids[1]]);
    expect(lines).toMatchObject([{ message: 'the lease of a job was refused', id: ids[1], error: 'poison' }]);
  });
});

describe('a worker', () => {
  /** Jobs that were begun, with what ends them. */
  let begun: { n: number; end: () => void }[];
  /** Whether jobs are released instead of settled, so that any process goes on with them at once. */
  let isReleasing: boolean;
  let worker: QueueWorker<Payload>;

  beforeEach(async () => {
    [begun, isReleasing] = [[], false];
    worker = new QueueWorker<Payload>(
      { database, clock, log, instance: 'one' },
      {
        ...{ queue: 'notice-mail', maxConcurrent: 2, failureMessage: 'jobs wait' },
        async work(job) {
          await new Promise<void>((end) => begun.push({ n: job.payload.n, end }));
          if (!isReleasing) return void (await worker.queue.settle(database, job, null));
          await worker.queue.advance(database, job, job.payload, { release: true });
          worker.wake();
          await settled();
        },
      },
    );
    await worker.start();
  });
  afterEach(async () => {
    for (const { end } of begun) end();
    await worker.close();
  });

  test('keeps a job that takes longer than its lease, and does it once', async () => {
    await addJobs(1);
    worker.wake();
    for (let minute = 0; minute < 5; minute++) {
      await advance(60_000);
      expect(await queueOf('other').claim(5)).toEqual([]);
    }
    begun[0]!.end();
    await worker.idle();
    expect([begun.length, await remaining()]).toEqual([1, []]);
  });

  test('does not begin a job again whose lease has ended while the store was away', async () => {
    await addJobs(1);
    worker.wake();
    await settled();
    isAway = true;
    await advance(leaseMs + 500);
    isAway = false;
    await advance(500);
    expect(begun.length).toBe(1);
  });

  test('goes on with others while one job hangs', async () => {
    await addJobs(1, 2, 3, 4);
    worker.wake();
    await settled();
    expect(begun.map(({ n }) => n).toSorted()).toEqual([1, 2]);
    for (const next of [3, 4]) {
      begun.at(-1)!.end();
      await settled();
      expect(begun.at(-1)!.n).toBe(next);
    }
    begun.at(-1)!.end();
    await settled();
    // What is added meanwhile has a place as well.
    await addJobs(5);
    worker.wake();
    await settled();
    expect(begun.map(({ n }) => n).toSorted()).toEqual([1, 2, 3, 4, 5]);
  });

  test('takes a job that arrives while all places are taken as soon as one is free', async () => {
    await addJobs(1, 2);
    worker.wake();
    await settled();
    await addJobs(3);
    worker.wake();
    await settled();
    begun[0]!.end();
    await settled();
    expect(begun.map(({ n }) => n)).toContain(3);
  });

  test('is not idle while a job runs that waited for the end of others', async () => {
    await addJobs(1, 2, 3);
    let isIdle = false;
    const idle = worker.idle().then(() => {
      isIdle = true;
    });
    await settled();
    for (const { end } of begun) end();
    await settled();
    expect([begun.length, isIdle]).toEqual([3, false]);
    begun[2]!.end();
    await idle;
    expect(await remaining()).toEqual([]);
  });

  test('goes on at once with a job that it has released', async () => {
    await addJobs(1);
    worker.wake();
    await settled();
    isReleasing = true;
    begun[0]!.end();
    await expect.poll(() => begun.length).toBe(2);
    isReleasing = false;
  });
});
