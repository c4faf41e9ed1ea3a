// A process that has lost a job or a task to another writes nothing to it any more, and a job that throws
// does not block others.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStoreWithTables, type TestStore } from '../../test/support/test-store.ts';
import { isoTime, ManualClock } from '../common/clock.ts';
import { createIdSource } from '../common/id.ts';
import type { LogLine } from '../common/log.ts';
import { ChangeBus } from '../db/change-bus.ts';
import type { Database } from '../db/database.ts';
import { JobQueue, leaseMs } from './job-queue.ts';
import { QueueWorker } from './queue-worker.ts';
import { leaseExpiredSql, RowLeases } from './row-leases.ts';
import type { RunningTask } from './task-runner.ts';
import { claimTasks, endTask } from './task-store.ts';
import { Tasks } from './tasks.ts';

let store: TestStore;
let database: Database;
let clock: ManualClock;
let lines: LogLine[];

beforeEach(async () => {
  store = (await createStoreWithTables('embedded'))!;
  database = await store.open();
  clock = new ManualClock();
  lines = [];
}, 120_000);
afterEach(() => store?.remove());

const log = (line: LogLine) => void lines.push(line);
const rowsOf = async (text: string) => (await database.query(text)).rows;

describe('a job', () => {
  test('is settled by nobody whose lease another one, or he himself in another attempt, has taken over', async () => {
    const [one, other] = ['one', 'other'].map(
      (instance) => new JobQueue<{ n: number }>({ database, clock, instance }, 'notice-mail'),
    );
    await one!.add(database, null, { n: 1 });
    const [first] = await one!.claim(5);
    clock.advance(leaseMs + 1);
    const [second] = await one!.claim(5);
    expect(second).toMatchObject({ id: first!.id, attempts: 2 });
    expect(await one!.settle(database, first!, null)).toBe(false);
    expect(await one!.settle(database, first!, isoTime(clock.now()))).toBe(false);
    expect(await other!.settle(database, second!, null)).toBe(false);
    expect(await rowsOf('select attempts, locked_by from job')).toEqual([{ attempts: 2, locked_by: 'one' }]);
    expect(await one!.settle(database, second!, null)).toBe(true);
    expect(await rowsOf('select 1 from job')).toEqual([]);
  });

  test('that throws is retried later, abandoned after five attempts, and holds up no other', async () => {
    const done: number[] = [];
    const abandoned: string[] = [];
    const worker = new QueueWorker<{ n: number }>(
      { database, clock, instance: 'one', log },
      {
        queue: 'notice-mail',
        maxConcurrent: 2,
        failureMessage: 'jobs wait',
        async work(job) {
          if (job.payload.n === 2) throw new RangeError('Maximum call stack size exceeded');
          done.push(job.payload.n);
          await worker.queue.settle(database, job, null);
        },
        async giveUp(job, error) {
          abandoned.push(`${job.payload.n} ${(error as Error).message}`);
        },
      },
    );
    for (const n of [1, 2, 3, 4, 5]) await worker.queue.add(database, null, { n });
    await worker.idle();
    expect(done.sort()).toEqual([1, 3, 4, 5]);
    for (let attempt = 2; attempt <= 5; attempt += 1) {
      expect(abandoned).toEqual([]);
      clock.advance(60_000 * 2 ** attempt);
      await worker.idle();
    }
    expect(abandoned).toEqual(['2 Maximum call stack size exceeded']);
    expect(await rowsOf('select 1 from job')).toEqual([]);
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    await worker.close();
  });
});

test('a leased row keeps its lease while its process lives, and is released when it stops or has died', async () => {
  const spaceId = '0190a0a0-4444-7000-8000-000000000008';
  const leases = new RowLeases({ database, clock, log, instance: 'one' }, 'bulk_export');
  await database.query(
    `insert into space (space_id, display_name, created_at, updated_at) values ($1, 'Test', now(), now())`,
    [spaceId],
  );
  await database.query(
    `insert into bulk_export (export_id, space_id, kind, status, file_name, requested_at, owner, lease_until)
     values (gen_random_uuid(), $1, 'scopes', 'processing', 'scopes.csv', $2, 'dead', $3)`,
    [spaceId, isoTime(clock.now()), isoTime(clock.now() + 60_000)],
  );
  const isExpired = async () =>
    (await database.query(`select 1 from bulk_export where ${leaseExpiredSql('$1')}`, [isoTime(clock.now())]))
      .rows.length === 1;
  expect(await isExpired()).toBe(false);
  await leases.start();
  expect(await isExpired()).toBe(true);
  await database.query('update bulk_export set owner = $1, lease_until = $2', [leases.owner, leases.end()]);
  for (let minute = 0; minute < 20; minute++) {
    for (let turn = 0; turn < 3; turn++) {
      clock.advance(20_000);
      await leases.idle();
    }
    expect(await isExpired()).toBe(false);
  }
  await leases.close();
  expect(await isExpired()).toBe(true);
});

describe('a task', () => {
  const spaceId = '0190a0a0-4444-7000-8000-000000000009';
  let running: { task: RunningTask; end: (result: Record<string, unknown>) => void }[];
  const tasksOf = (instance: string) => {
    const changes = new ChangeBus(database, instance);
    const tasks = new Tasks({ database, clock, log, changes, nextId: createIdSource(clock), instance });
    tasks.register('test', 'wait', {
      run: (task) =>
        new Promise((resolve, reject) => {
          running.push({ task, end: resolve });
          task.signal.addEventListener('abort', () => reject(new Error('cut')));
        }),
    });
    tasks.register('test', 'deaf', {
      run: (task) => new Promise((resolve) => running.push({ task, end: resolve })),
    });
    tasks.register('test', 'huge', { run: async () => ({ deep: deep(20_000) }) });
    tasks.register('test', 'refused', {
      run: async () => ({}),
      onEnded: async () => {
        throw new Error('poison');
      },
    });
    return tasks;
  };
  const until = (look: () => Promise<unknown>, expected: unknown) =>
    expect.poll(look, { timeout: 20_000 }).toEqual(expected);
  const request = (method: string) => ({ spaceId, namespace: 'test', method, params: {}, requestedBy: null });
  const taskRows = () =>
    rowsOf('select status, owner, result, error_descriptor is not null as told from task order by task_id');

  beforeEach(async () => {
    running = [];
    await database.query(
      `insert into space (space_id, display_name, created_at, updated_at) values ($1, 'Test', now(), now())`,
      [spaceId],
    );
  });

  test('is ended by its owner alone', async () => {
    const tasks = tasksOf('one');
    const { taskId } = await database.transaction((tx) => tasks.requestInTransaction(tx, request('wait')));
    const now = clock.now();
    const by = { owner: 'one', now, leaseUntil: now + 1000, methods: ['test wait'], limit: 1 };
    expect(await claimTasks(database, by)).toHaveLength(1);
    const end = { status: 'succeeded', descriptor: null, result: {}, now } as const;
    expect(await endTask(database, 'other', taskId, end)).toBe(false);
    expect(await taskRows()).toMatchObject([{ status: 'started', owner: 'one' }]);
    expect(await endTask(database, 'one', taskId, end)).toBe(true);
  });

  test.each(['wait', 'deaf'])(
    'that was taken over is stopped, and what it still says is not heard: %s',
    async (method) => {
      const tasks = tasksOf('one');
      await tasks.start();
      const { taskId } = await tasks.request(request(method));
      await until(async () => running.length, 1);
      await database.query("update task set owner = 'other', lease_until = $1", [
        isoTime(clock.now() + 60_000),
      ]);
      clock.advance(5000);
      await until(async () => running[0]!.task.signal.reason, 'lost');
      // Taken back meanwhile: the result of the lost run must not end it.
      await database.query("update task set owner = 'one'");
      running[0]!.end({ late: true });
      await new Promise((resolve) => setImmediate(resolve));
      await tasks.idle();
      expect(await taskRows()).toMatchObject([{ status: 'started', owner: 'one', result: null }]);
      expect(taskId).toBeDefined();
      await tasks.close();
    },
  );

  test.each(['huge', 'refused'])(
    'whose end is refused has failed, and is not taken up again: %s',
    async (method) => {
      const tasks = tasksOf('one');
      await tasks.start();
      await tasks.request(request(method));
      await until(taskRows, [{ status: 'failed', owner: null, result: null, told: true }]);
      await tasks.close();
    },
  );
});

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}
