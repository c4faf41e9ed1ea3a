// A process that has lost a job or a task to another writes nothing to it any more, and a job that throws
// does not block others.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refuseRows } from '../../../test/support/sql/refuse-rows.ts';
import { createStoreWithTables, type TestStore } from '../../../test/support/test-store.ts';
import { recoverJobs } from '../../alerthub/bulk/bulk-jobs.ts';
import { isoTime, ManualClock } from '../../common/clock.ts';
import { createIdSource } from '../../common/id.ts';
import type { LogLine } from '../../common/log.ts';
import { ChangeBus } from '../../db/change-bus.ts';
import type { Database } from '../../db/database.ts';
import { JobQueue, leaseMs } from '../job-queue.ts';
import { QueueWorker } from '../queue-worker.ts';
import type { RunningTask } from '../task-runner.ts';
import { claimTasks, endTask } from '../task-store.ts';
import { Tasks } from '../tasks.ts';
import { leaseExpiredSql, RowLeases, rowLeaseMs } from './row-leases.ts';

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
const refuse = (table: string, when: string) => refuseRows(() => database, table, when, 'update');
const addSpace = (spaceId: string) =>
  database.query(
    `insert into space (space_id, display_name, created_at, updated_at) values ($1, 'Test', now(), now())`,
    [spaceId],
  );
/** Adds exports with these names, leased by a process until an hour later, or until an hour ago. */
const addExports = (spaceId: string, owner: string, names: readonly string[], isExpired = false) =>
  database.query(
    `insert into bulk_export (export_id, space_id, kind, status, file_name, requested_at, owner, lease_until)
     select gen_random_uuid(), $1, 'scopes', 'processing', name, $2, $3, $4 from unnest($5::text[]) as name`,
    [
      spaceId,
      isoTime(clock.now()),
      owner,
      isoTime(clock.now() + (isExpired ? -3_600_000 : 3_600_000)),
      names,
    ],
  );

describe('a job', () => {
  test('whose lease cannot be released at startup does not hold up the others', async () => {
    const queue = new JobQueue<{ n: number }>({ database, clock, instance: 'one' }, 'notice-mail');
    for (const n of [1, 2, 3]) await queue.add(database, null, { n });
    await queue.claim(5);
    const end = await refuse('job', `new.payload->>'n' = '2'`);
    await queue.freeLeases(log);
    expect(await rowsOf('select payload from job where locked_by is not null')).toEqual([
      { payload: { n: 2 } },
    ]);
    expect((await queue.claim(5)).map(({ payload }) => payload.n).sort()).toEqual([1, 3]);
    await end();
  });

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
        async giveUp(_tx, job, error) {
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
  await addSpace(spaceId);
  await addExports(spaceId, 'dead', ['scopes.csv']);
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

test('a lease that cannot be renewed does not affect the others', async () => {
  const spaceId = '0190a0a0-4444-7000-8000-000000000010';
  const leases = new RowLeases({ database, clock, log, instance: 'one' }, 'bulk_export');
  await addSpace(spaceId);
  await leases.start();
  await addExports(spaceId, 'one', ['first', 'refused', 'last']);
  const end = await refuse('bulk_export', `new.file_name = 'refused'`);
  const renewed = async () =>
    (
      await database.query('select file_name from bulk_export where lease_until = $1 order by 1', [
        leases.end(),
      ])
    ).rows;
  clock.advance(20_000);
  await leases.idle();
  expect(await renewed()).toEqual([{ file_name: 'first' }, { file_name: 'last' }]);
  expect(lines[0]).toMatchObject({ level: 'error', table: 'bulk_export', error: 'poison' });
  await leases.close();
  expect(await rowsOf('select file_name from bulk_export where lease_until is not null')).toEqual([
    { file_name: 'refused' },
  ]);
  // A start is not prevented by it either.
  await leases.start();
  await end();
  await leases.close();
});

test('interrupted imports and exports that cannot be ended do not hold up the others', async () => {
  const spaceId = '0190a0a0-4444-7000-8000-000000000011';
  await addSpace(spaceId);
  await addExports(spaceId, 'dead', ['first', 'refused', 'last'], true);
  const end = await refuse('bulk_export', `new.file_name = 'refused'`);
  const states = () => rowsOf('select file_name, status from bulk_export order by file_name');
  const expected = [
    { file_name: 'first', status: 'failed' },
    { file_name: 'last', status: 'failed' },
    { file_name: 'refused', status: 'processing' },
  ];
  await recoverJobs({ database, clock, log });
  expect(await states()).toEqual(expected);
  await end();
  await recoverJobs({ database, clock, log });
  expect(await states()).toEqual(expected.map((row) => ({ ...row, status: 'failed' })));
});

describe('a task', () => {
  const spaceId = '0190a0a0-4444-7000-8000-000000000009';
  /** Label and end of the tasks whose module was informed. */
  let ended: string[];
  let running: { task: RunningTask; end: (result: Record<string, unknown>) => void }[];
  const tasksOf = (instance: string) => {
    const changes = new ChangeBus({ database, clock, log, instance });
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
    tasks.register('test', 'quick', {
      run: async () => ({}),
      onEnded: async (_tx, { params }, end) => void ended.push(`${params.label} ${end}`),
    });
    tasks.register('test', 'resumed', { run: async ({ resumed }) => ({ resumed }), resumable: true });
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
  const request = (method: string, label = '') => ({
    ...{ spaceId, namespace: 'test', method, requestedBy: null },
    params: { label },
  });
  const statuses = () =>
    rowsOf(`select params->>'label' as label, status from task order by created_at, task_id`);
  const statusesAre = (...expected: [label: string, status: string][]) =>
    until(
      statuses,
      expected.map(([label, status]) => ({ label, status })),
    );
  const taskRows = () =>
    rowsOf('select status, owner, result, error_descriptor is not null as told from task order by task_id');

  beforeEach(async () => {
    running = [];
    ended = [];
    await addSpace(spaceId);
  });

  test('that cannot be claimed has failed, and the others run', async () => {
    const tasks = tasksOf('one');
    const end = await refuse('task', `new.status = 'started' and new.params->>'label' = 'bad'`);
    for (const label of ['first', 'bad', 'last'])
      await database.transaction((tx) => tasks.requestInTransaction(tx, request('quick', label)));
    await tasks.start();
    await statusesAre(['first', 'succeeded'], ['bad', 'failed'], ['last', 'succeeded']);
    await until(async () => [...ended].sort(), ['bad failed', 'first succeeded', 'last succeeded']);
    await end();
    await tasks.close();
  });

  test('that does not stop when it is told to delays a stop of the server by five seconds only', async () => {
    const tasks = tasksOf('one');
    await tasks.start();
    await tasks.request(request('deaf', 'stuck'));
    await expect.poll(() => running.length).toBe(1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let hasClosed = false;
      const closed = tasks.close().then(() => {
        hasClosed = true;
      });
      while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(4999);
      expect(hasClosed).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await closed;
      expect(running[0]!.task.signal.reason).toBe('stopping');
    } finally {
      vi.useRealTimers();
    }
    running[0]!.end({});
  });

  test('shows its progress as whole percents from 0 to 100', async () => {
    const tasks = tasksOf('one');
    await tasks.start();
    await tasks.request(request('wait', 'counted'));
    await expect.poll(() => running.length).toBe(1);
    const [{ task, end }] = running as [(typeof running)[0]];
    for (const [told, shown] of [
      [12.9, 12],
      [0, 0],
      [-3, 0],
      [Number.NaN, 0],
      [101, 100],
    ] as const) {
      task.progress(told);
      clock.advance(1000);
      await until(() => rowsOf('select progress from task'), [{ progress: shown }]);
    }
    end({});
    await tasks.close();
  });

  test('that can be neither claimed nor ended is tried again later, and the others run', async () => {
    const tasks = tasksOf('one');
    const end = await refuse('task', `new.params->>'label' = 'bad'`);
    await tasks.start();
    for (const label of ['first', 'bad', 'last']) await tasks.request(request('quick', label));
    await statusesAre(['first', 'succeeded'], ['bad', 'requested'], ['last', 'succeeded']);
    expect(ended).not.toContain('bad failed');
    await end();
    await tasks.idle();
    expect(await statuses()).toContainEqual({ label: 'bad', status: 'requested' });
    clock.advance(60_000);
    await statusesAre(['first', 'succeeded'], ['bad', 'succeeded'], ['last', 'succeeded']);
    await tasks.close();
  });

  test('of an ended process that cannot be claimed has failed, and the others are resumed', async () => {
    const tasks = tasksOf('one');
    const end = await refuse('task', `new.owner = 'one' and new.params->>'label' = 'bad'`);
    for (const label of ['first', 'bad', 'last'])
      await database.transaction((tx) => tasks.requestInTransaction(tx, request('resumed', label)));
    await database.query(`update task set status = 'started', owner = 'dead', lease_until = $1`, [
      isoTime(clock.now() - 1),
    ]);
    await tasks.start();
    await statusesAre(['first', 'succeeded'], ['bad', 'failed'], ['last', 'succeeded']);
    await end();
    await tasks.close();
  });

  test('whose lease cannot be renewed is stopped, and the others keep theirs', async () => {
    const tasks = tasksOf('one');
    await tasks.start();
    for (const label of ['good', 'bad']) await tasks.request(request('wait', label));
    await until(async () => running.length, 2);
    const end = await refuse('task', `new.params->>'label' = 'bad'`);
    clock.advance(5000);
    const reasons = async () =>
      Object.fromEntries(running.map(({ task }) => [task.params.label, task.signal.reason]));
    await until(reasons, { good: undefined, bad: 'lost' });
    await end();
    expect(await rowsOf('select lease_until from task order by lease_until desc limit 1')).toEqual([
      { lease_until: isoTime(clock.now() + rowLeaseMs) },
    ]);
    for (const { end: finish } of running) finish({});
    await tasks.close();
  });

  test('is ended by its owner alone', async () => {
    const tasks = tasksOf('one');
    const { taskId } = await database.transaction((tx) => tasks.requestInTransaction(tx, request('wait')));
    const now = clock.now();
    const by = { owner: 'one', now, leaseUntil: now + 1000, methods: ['test wait'], exceptSpaces: [] };
    expect(await claimTasks(database, by, { max: 1, only: null, except: [] })).toHaveLength(1);
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
