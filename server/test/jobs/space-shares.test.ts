// Jobs of one space do not keep those of another waiting, on both storage engines.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { noSpace } from '../../src/common/spaces/space-shares.ts';
import type { Database } from '../../src/db/database.ts';
import { claimValues, type Job, JobQueue } from '../../src/jobs/job-queue.ts';
import { QueueWorker } from '../../src/jobs/queue-worker.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';

type Payload = { n: number };
const [busy, quiet, third] = [1, 2, 3].map((n) => `0190a0a0-7777-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];

describe.each(['embedded', 'postgresql'] as const)('on the %s engine', (engine) => {
  let store: TestStore | null = null;
  let database: Database;
  let clock: ManualClock;
  let queue: JobQueue<Payload>;

  beforeEach(async ({ skip }) => {
    store = await createStoreWithTables(engine);
    if (!store) return skip();
    database = await store.open();
    clock = new ManualClock();
    queue = new JobQueue({ database, clock, instance: 'one' }, 'notice-mail');
  }, 120_000);
  afterEach(() => store?.remove());

  /** Adds jobs that are due so many milliseconds from now. */
  async function add(spaceId: string | null, numbers: readonly number[], dueIn = 0, name = 'notice-mail') {
    await database.query(
      'insert into job (queue, run_at, space_id, payload) select $1, $2, $3, n from jsonb_array_elements($4::jsonb) n',
      [name, isoTime(clock.now() + dueIn), spaceId, JSON.stringify(numbers.map((n) => ({ n })))],
    );
  }
  async function claim(max: number, exceptSpaces: string[] = [], instance = 'one') {
    const range = { max, only: null, except: [] };
    return sorted(await queue.claimWith(claimValues({ database, clock, instance }, range, exceptSpaces)));
  }

  test('due jobs are claimed in the order of their times, of whatever space they are', async () => {
    await add(busy, [3, 5], -2);
    await add(null, [2], -3);
    await add(quiet, [1], -4);
    await add(quiet, [4], -1);
    await add(third, [6], 1);
    await add(busy, [7], -9, 'server-mail');
    expect(await claim(2)).toEqual([1, 2]);
    expect(await claim(10)).toEqual([3, 4, 5]);
    expect(await claim(10)).toEqual([]);
  });

  test('jobs of full spaces are left, and of no space like those of a space', async () => {
    await add(busy, [1, 2], -3);
    await add(null, [3, 4], -2);
    await add(quiet, [5], -1);
    expect(await claim(10, [busy, noSpace])).toEqual([5]);
    expect(await claim(1, [busy])).toEqual([3]);
    expect(await claim(10)).toEqual([1, 2, 4]);
  });

  test('two processes that claim at once share what is due', async () => {
    await add(busy, [1, 2, 3]);
    await add(quiet, [4, 5]);
    await add(null, [6]);
    const claimed = await Promise.all([claim(4, [], 'one'), claim(4, [], 'two')]);
    const rest = await claim(10);
    expect([...claimed.flat(), ...rest].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('a worker whose jobs of one space do not end works on those of another', async () => {
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const worker = new QueueWorker<Payload>(
      { database, clock, log: () => undefined, instance: 'one' },
      {
        ...{ queue: 'notice-mail', maxConcurrent: 8, failureMessage: 'failed' },
        async work(job) {
          begun.push(job.payload.n);
          if (job.spaceId === busy) await new Promise<void>((resolve) => ends.push(resolve));
          await worker.queue.settle(database, job, null);
        },
      },
    );
    await add(busy, [1, 2, 3, 4, 5, 6, 7, 8, 9], -2);
    await worker.start();
    await expect.poll(() => begun.length).toBe(6);
    await add(quiet, [11, 12, 13], -1);
    await add(null, [14]);
    worker.wake();
    await expect.poll(() => begun.slice(6).sort()).toEqual([11, 12, 13, 14]);
    // The others of the busy space follow as its jobs end.
    await expect
      .poll(() => {
        for (const end of ends.splice(0)) end();
        return begun.length;
      })
      .toBe(13);
    await worker.idle();
    await worker.close();
    expect((await database.query('select 1 from job')).rows).toEqual([]);
  });
});

const sorted = (jobs: readonly Job<Payload>[]) => jobs.map(({ payload }) => payload.n).sort((a, b) => a - b);
