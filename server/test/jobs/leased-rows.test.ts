// Which rows the statements of queues, tasks and leases touch: those that are due, and those of their owner alone.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import type { LogLine } from '../../src/common/log.ts';
import type { Database, Transaction } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import { type Job, JobQueue, leaseMs } from '../../src/jobs/job-queue.ts';
import { RowLeases, releaseRowLeases } from '../../src/jobs/leases/row-leases.ts';
import { QueueWorker } from '../../src/jobs/queue-worker.ts';
import { TaskRejected, type TaskRunner } from '../../src/jobs/task-runner.ts';
import {
  claimExpiredTasks,
  claimTasks,
  endTask,
  failUnclaimedTask,
  findExpiredTasks,
  findWaitingTasks,
  insertTask,
  releaseTask,
  renewTaskLeases,
  writeProgress,
} from '../../src/jobs/task-store.ts';
import { updateRows } from '../../src/jobs/update-rows.ts';
import { refuseRows } from '../support/sql/refuse-rows.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';
import { trackDatabase } from './tracked-database.ts';

const spaceId = '0190a0a0-7777-7000-8000-000000000001';
const minute = 60_000;

let store: TestStore;
let database: Database;
let settled: () => Promise<void>;
let clock: ManualClock;
let lines: LogLine[];

beforeAll(async () => {
  store = (await createStoreWithTables('embedded'))!;
  ({ database, settled } = trackDatabase(await store.open()));
  await database.query(
    `insert into space (space_id, display_name, created_at, updated_at) values ($1, 'Test', now(), now())`,
    [spaceId],
  );
}, 120_000);
afterAll(() => store?.remove());
beforeEach(() => {
  clock = new ManualClock();
  lines = [];
});
afterEach(async () => {
  for (const table of ['job', 'task', 'bulk_export', 'server_secret'])
    await database.query(`delete from ${table}`);
});

const log = (line: LogLine) => void lines.push(line);
const rowsOf = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await database.query<Row>(text, values)).rows;
const at = (offset = 0) => isoTime(clock.now() + offset);
const advance = async (milliseconds: number) => {
  clock.advance(milliseconds);
  await settled();
};

type Payload = { n: number };
const numbers = (jobs: readonly Job<Payload>[]) => jobs.map(({ payload }) => payload.n);
const queueOf = (instance: string, name: 'notice-mail' | 'delivery' = 'notice-mail') =>
  new JobQueue<Payload>({ database, clock, instance }, name);
/** Adds a job that is due so many milliseconds from now. */
const addJob = (n: number, dueIn = 0, queue = 'notice-mail') =>
  database.query('insert into job (queue, run_at, payload) values ($1, $2, $3)', [queue, at(dueIn), { n }]);
const jobs = () =>
  rowsOf(`select payload->'n' as n, run_at, attempts, locked_by from job order by queue desc, payload->'n'`);

describe('a job', () => {
  test('is claimed when it is due, the longest due first, for two minutes', async () => {
    for (const [n, dueIn] of [
      [1, 0],
      [2, -2],
      [3, -1],
      [4, 1],
    ] as const)
      await addJob(n, dueIn);
    await addJob(5, -3, 'delivery');
    const queue = queueOf('one');
    expect(numbers(await queue.claim(1))).toEqual([2]);
    expect(numbers(await queue.claim(5)).toSorted()).toEqual([1, 3]);
    expect(await jobs()).toEqual([
      ...[1, 2, 3].map((n) => ({ n, run_at: at(120_000), attempts: 1, locked_by: 'one' })),
      { n: 4, run_at: at(1), attempts: 0, locked_by: null },
      { n: 5, run_at: at(-3), attempts: 0, locked_by: null },
    ]);
    clock.advance(119_999);
    expect(numbers(await queueOf('other').claim(5))).toEqual([4]);
    clock.advance(1);
    expect((await queueOf('other').claim(5)).map(({ attempts }) => attempts)).toEqual([2, 2, 2]);
  });

  test('of a dead process is due again at the start of this queue alone', async () => {
    for (const n of [1, 2]) await addJob(n, n - 1);
    await addJob(3, 0, 'delivery');
    await queueOf('dead').claim(5);
    await queueOf('dead', 'delivery').claim(5);
    await queueOf('one').freeLeases(log);
    expect(await jobs()).toEqual([
      { n: 1, run_at: at(), attempts: 1, locked_by: null },
      { n: 2, run_at: at(1), attempts: 0, locked_by: null },
      { n: 3, run_at: at(leaseMs), attempts: 1, locked_by: 'dead' },
    ]);
  });

  test('is advanced, rescheduled and ended by who has leased it, and no other job is', async () => {
    const queue = queueOf('one');
    for (const n of [1, 2]) await addJob(n, n - 3);
    const [first, second] = await queue.claim(2);
    const foreign = queueOf('other');
    for (const job of [
      { ...first!, attempts: first!.attempts + 1 },
      { ...first!, id: '0' },
    ]) {
      expect(await queue.advance(database, job, { n: 9 })).toBe(false);
      expect(await queue.settle(database, job, at())).toBe(false);
      expect(await queue.settle(database, job, null)).toBe(false);
    }
    expect(await foreign.advance(database, first!, { n: 9 })).toBe(false);
    const untouched = { n: 2, run_at: at(leaseMs), attempts: 1, locked_by: 'one' };
    expect(await jobs()).toEqual([{ ...untouched, n: 1 }, untouched]);

    clock.advance(1000);
    const rest = { ...untouched, run_at: at(leaseMs - 1000) };
    expect(await queue.advance(database, first!, { n: 0 })).toBe(true);
    expect(await jobs()).toEqual([{ ...untouched, n: 0, run_at: at(leaseMs) }, rest]);
    expect(await queue.advance(database, first!, { n: 1 }, { release: true })).toBe(true);
    expect(await jobs()).toEqual([{ n: 1, run_at: at(), attempts: 0, locked_by: null }, rest]);
    const [again] = await queue.claim(1);
    expect(await queue.settle(database, again!, at(minute))).toBe(true);
    expect(await jobs()).toEqual([{ n: 1, run_at: at(minute), attempts: 1, locked_by: null }, rest]);
    expect(await queue.settle(database, second!, null)).toBe(true);
    expect((await jobs()).map(({ n }) => n)).toEqual([1]);
  });
});

describe('a worker', () => {
  type Work = ConstructorParameters<typeof QueueWorker<Payload>>[1];
  function createWorker(work: (n: number) => Promise<void> | void, options: Partial<Work> = {}) {
    const worker = new QueueWorker<Payload>(
      { database, clock, log, instance: 'one' },
      {
        queue: 'notice-mail',
        maxConcurrent: 2,
        failureMessage: 'jobs wait',
        async work(job) {
          await work(job.payload.n);
          await worker.queue.settle(database, job, null);
        },
        ...options,
      },
    );
    return worker;
  }

  test('does at its start what is due and what a dead process left, then looks every second', async () => {
    const done: number[] = [];
    const worker = createWorker((n) => void done.push(n));
    await addJob(1);
    await queueOf('dead').claim(1);
    await addJob(2);
    await worker.start();
    await settled();
    expect(done.toSorted()).toEqual([1, 2]);
    await addJob(3);
    await advance(999);
    expect(done).toHaveLength(2);
    await advance(1);
    expect(done.at(-1)).toBe(3);
    await worker.close();
    await addJob(4);
    await advance(5000);
    worker.wake();
    await settled();
    expect(done).toHaveLength(3);
  });

  test('does so many at one time, and begins none while it closes', async () => {
    const ends: (() => void)[] = [];
    const worker = createWorker(() => new Promise((resolve) => ends.push(resolve)));
    for (const n of [1, 2, 3, 4, 5]) await addJob(n);
    worker.wake();
    await settled();
    expect(ends).toHaveLength(2);
    for (const end of ends.splice(0)) end();
    await settled();
    expect(ends).toHaveLength(2);
    let hasClosed = false;
    const closed = worker.close().then(() => {
      hasClosed = true;
    });
    await settled();
    expect(hasClosed).toBe(false);
    for (const end of ends) end();
    await closed;
    expect(await jobs()).toMatchObject([{ n: 5, locked_by: null }]);
  });

  test('leaves a job to its lease when the store is away, does the others claimed with it, and no more', async () => {
    const done: number[] = [];
    const worker = createWorker((n) => {
      if (n === 1) throw new StoreUnavailable('away');
      done.push(n);
    });
    for (const n of [1, 2, 3]) await addJob(n, n - 4);
    await worker.idle();
    expect(done).toEqual([2]);
    expect(await jobs()).toMatchObject([
      { n: 1, run_at: at(leaseMs), locked_by: 'one', attempts: 1 },
      { n: 3, locked_by: null, attempts: 0 },
    ]);
    expect(lines).toMatchObject([{ level: 'warn', message: 'jobs wait', error: 'away' }]);
    await worker.close();
  });

  test.each([
    ['throws', async () => async () => {}],
    ['cannot be claimed', () => refuseRows(() => database, 'job', `new.payload->>'n' = '2'`, 'update')],
  ])(
    'abandons a job that %s at the fifth attempt, which is recorded before it is told',
    async (what, refuse) => {
      const end = await refuse();
      const told: unknown[] = [];
      const worker = createWorker(
        (n) => {
          if (n === 2) throw new RangeError('Invalid time value');
        },
        {
          async giveUp(tx: Transaction, { payload }: Job<Payload>) {
            await tx.query(`insert into server_secret (name, value) values ($1, '\\x01')`, [
              `gone ${payload.n}`,
            ]);
            return () => void told.push(payload.n);
          },
        },
      );
      for (const n of [1, 2, 3]) await addJob(n, n - 4);
      await addJob(4, 60 * minute);
      await worker.idle();
      for (const [index, wait] of [1, 2, 4, 8].entries()) {
        expect(lines).toHaveLength(index + 1);
        expect(told).toEqual([]);
        await advance(wait * minute - 1);
        await worker.idle();
        expect(lines).toHaveLength(index + 1);
        await advance(1);
        await worker.idle();
      }
      expect(told).toEqual([2]);
      expect(await rowsOf('select name from server_secret')).toEqual([{ name: 'gone 2' }]);
      expect((await jobs()).map(({ n }) => n)).toEqual([4]);
      const text = what === 'throws' ? 'Invalid time value' : 'poison';
      expect(lines.at(-1)).toMatchObject({ level: 'error', message: 'a job was abandoned', error: text });
      await worker.close();
      await end();
    },
  );

  test.each([
    ['is refused', new Error('refused'), []],
    ['finds the store away', new StoreUnavailable('away'), [{ n: 1, locked_by: 'one', attempts: 5 }]],
  ])(
    'removes a job without its record when the record %s, unless the store is away',
    async (_what, error, left) => {
      const worker = createWorker(
        () => {
          throw new RangeError('Invalid time value');
        },
        {
          async giveUp(): Promise<void> {
            throw error;
          },
        },
      );
      await addJob(1);
      await database.query('update job set attempts = 4');
      await worker.idle();
      expect(await jobs()).toMatchObject(left);
      expect(await jobs()).toHaveLength(left.length);
      expect(lines[0]).toMatchObject({ message: 'a job was abandoned', attempts: 5 });
      expect(lines[1]).toMatchObject({ error: error.message });
      await worker.close();
    },
  );
});

describe('a leased row', () => {
  /** Adds exports that are leased for an hour. */
  const addExports = (rows: [name: string, owner: string][]) =>
    database.query(
      `insert into bulk_export (export_id, space_id, kind, status, file_name, requested_at, owner, lease_until)
       select gen_random_uuid(), $1, 'scopes', 'processing', name, $2, owner, $3
       from unnest($4::text[], $5::text[]) as row(name, owner)`,
      [spaceId, at(), at(60 * minute), rows.map(([name]) => name), rows.map(([, owner]) => owner)],
    );
  const leases = async () =>
    Object.fromEntries(
      (
        await rowsOf<{ name: string; until: string | null }>(
          'select file_name as name, lease_until as until from bulk_export',
        )
      ).map(({ name, until }) => [name, until]),
    );

  test('is renewed every ten seconds for thirty by its owner, and released when he closes', async () => {
    const mine = new RowLeases({ database, clock, log, instance: 'one' }, 'bulk_export');
    await mine.start();
    await addExports([
      ['mine', 'one'],
      ['foreign', 'other'],
    ]);
    const foreign = at(60 * minute);
    await advance(9_999);
    expect(await leases()).toEqual({ mine: foreign, foreign });
    await advance(1);
    expect(await leases()).toEqual({ mine: at(30_000), foreign });
    expect(mine.end()).toBe(at(30_000));
    await mine.close();
    expect(await leases()).toEqual({ mine: null, foreign });
    await advance(20_000);
    expect(await leases()).toEqual({ mine: null, foreign });
  });

  test('is released for one owner, or for all', async () => {
    await addExports([
      ['first', 'one'],
      ['second', 'two'],
    ]);
    const until = at(60 * minute);
    await releaseRowLeases({ database, log }, 'bulk_export', 'one');
    expect(await leases()).toEqual({ first: null, second: until });
    await releaseRowLeases({ database, log }, 'bulk_export', null);
    expect(await leases()).toEqual({ first: null, second: null });
  });

  test('that cannot be updated is reported, and no row outside the condition is touched', async () => {
    await addExports([
      ['first', 'one'],
      ['refused', 'one'],
      ['last', 'one'],
      ['foreign', 'other'],
    ]);
    const end = await refuseRows(() => database, 'bulk_export', `new.file_name = 'refused'`, 'update');
    const update = {
      ...{ table: 'bulk_export', key: 'export_id', where: 'owner = $1', whereValues: ['one'] },
      ...{ set: 'lease_until = $2', setValues: [at()] },
    };
    await updateRows({ database, log }, update);
    await end();
    const until = at(60 * minute);
    expect(await leases()).toEqual({ first: at(), refused: until, last: at(), foreign: until });
    expect(lines).toMatchObject([
      { message: 'a row could not be updated', table: 'bulk_export', error: 'poison' },
    ]);
    const away = Object.create(database, {
      query: { value: () => Promise.reject(new StoreUnavailable('away')) },
    });
    await expect(updateRows({ database: away, log }, update)).rejects.toThrow('away');
  });
});

describe('the rows of tasks', () => {
  const all = { max: 10, only: null, except: [] };
  const ids = ['a', 'b', 'c', 'd', 'e'].map((digit) => `0190a0a0-7777-7000-8000-00000000000${digit}`);
  /** Stores tasks with their columns, each created a millisecond after the one before. */
  async function addTasks(tasks: Record<string, unknown>[]): Promise<void> {
    for (const [index, task] of tasks.entries())
      await database.query(
        `insert into task (task_id, space_id, namespace, method, params, status, owner, lease_until, created_at, updated_at)
         values ($1, $2, 'test', $3, '{}', $4, $5, $6, $7, $7)`,
        [
          ids[index],
          spaceId,
          task.method ?? 'run',
          task.status ?? 'started',
          task.owner ?? null,
          task.until === undefined ? null : at(task.until as number),
          at(index - 60),
        ],
      );
  }
  const rows = () => rowsOf('select * from task order by task_id');
  const lease = (now = clock.now()) => ({ owner: 'one', now, leaseUntil: now + 1000, exceptSpaces: [] });
  const claimedIds = async (claim: Promise<{ taskId: string }[]>) =>
    (await claim).map(({ taskId }) => ids.indexOf(taskId)).toSorted();
  const foundIds = async (find: Promise<string[]>) => (await find).map((id) => ids.indexOf(id));

  test('that wait are claimed by their method, the oldest first, within the range', async () => {
    await addTasks([
      { status: 'requested', method: 'unknown' },
      { status: 'requested' },
      { status: 'requested', method: 'other' },
      { status: 'requested' },
      { status: 'aborted' },
    ]);
    const methods = ['test run', 'test other'];
    expect(await foundIds(findWaitingTasks(database, methods, all, []))).toEqual([1, 2, 3]);
    expect(await foundIds(findWaitingTasks(database, methods, { ...all, max: 2 }, []))).toEqual([1, 2]);
    const range = { ...all, only: [ids[1]!, ids[2]!, ids[0]!], except: [ids[1]!] };
    expect(await foundIds(findWaitingTasks(database, methods, range, []))).toEqual([2]);
    const by = { ...lease(), methods };
    expect(await claimedIds(claimTasks(database, by, range))).toEqual([2]);
    expect(await claimedIds(claimTasks(database, by, { ...all, max: 1 }))).toEqual([1]);
    expect((await rows()).map(({ status }) => status)).toEqual([
      ...['requested', 'started', 'started', 'requested', 'aborted'],
    ]);
    expect((await rows())[1]).toMatchObject({
      owner: 'one',
      lease_until: at(1000),
      started_at: at(),
      updated_at: at(),
    });
  });

  test('that run are claimed from the moment after their lease, the longest expired first', async () => {
    await addTasks([
      { owner: 'dead', until: 0 },
      { owner: 'dead', until: -1 },
      { owner: 'dead', until: -2 },
      { owner: 'dead' },
      { status: 'requested' },
    ]);
    expect(await foundIds(findExpiredTasks(database, clock.now(), all, []))).toEqual([2, 1, 3]);
    const { space_id: own } = (await rows())[0] as { space_id: string };
    expect(await foundIds(findExpiredTasks(database, clock.now(), all, [own]))).toEqual([]);
    expect(await claimedIds(claimExpiredTasks(database, { ...lease(), exceptSpaces: [own] }, all))).toEqual(
      [],
    );
    const range = { ...all, only: ids.slice(0, 3), except: [ids[2]!] };
    expect(await claimedIds(claimExpiredTasks(database, lease(), range))).toEqual([1]);
    expect((await rows())[1]).toMatchObject({ owner: 'one', lease_until: at(1000), status: 'started' });
    expect(await claimedIds(claimExpiredTasks(database, lease(), { ...all, max: 1 }))).toEqual([2]);
    expect(await claimedIds(claimExpiredTasks(database, lease(clock.now() + 1), all))).toEqual([0, 3]);
  });

  test('that nobody holds are failed when they cannot be claimed, the others are not', async () => {
    await addTasks([
      { status: 'requested' },
      { owner: 'dead', until: -1 },
      { owner: 'living', until: 0 },
      { status: 'succeeded' },
      { status: 'requested' },
    ]);
    const failed: (number | null)[] = [];
    for (const taskId of ids.slice(0, 4)) {
      const task = await failUnclaimedTask(
        database,
        taskId,
        { title: 'Title', detail: 'detail' },
        clock.now(),
      );
      failed.push(task && ids.indexOf(task.taskId));
    }
    expect(failed).toEqual([0, 1, null, null]);
    expect((await rows()).map(({ status }) => status)).toEqual([
      ...['failed', 'failed', 'started', 'succeeded', 'requested'],
    ]);
    expect((await rows())[1]).toMatchObject({
      ...{ owner: null, lease_until: null, ended_at: at(), updated_at: at() },
      error_descriptor: { title: 'Title', detail: 'detail' },
    });
  });

  test.each<[string, (ids: string[]) => Promise<unknown>, unknown, Record<string, unknown>]>([
    [
      'renewed',
      (some) => renewTaskLeases(database, 'one', some, clock.now() + 5000),
      new Map([[ids[0], { stop: false }]]),
      { lease_until: '2026-01-01T00:00:05.000Z' },
    ],
    [
      'ended',
      async (some) => {
        const end = { status: 'failed', descriptor: null, result: undefined, now: clock.now() } as const;
        return Promise.all(some.map((id) => endTask(database, 'one', id, end)));
      },
      [true, false, false, false],
      {
        status: 'failed',
        owner: null,
        lease_until: null,
        result: null,
        ended_at: '2026-01-01T00:00:00.000Z',
      },
    ],
    [
      'released',
      async (some) => {
        for (const id of some) await releaseTask(database, 'one', id, clock.now());
      },
      undefined,
      { owner: null, lease_until: '2026-01-01T00:00:00.000Z', status: 'started' },
    ],
    [
      'given their progress',
      (some) => writeProgress(database, 'one', new Map(some.map((id) => [id, 40])), clock.now()),
      undefined,
      { progress: 40, updated_at: '2026-01-01T00:00:00.000Z' },
    ],
  ])('are %s by their owner alone, while they run', async (_what, work, answer, expected) => {
    await addTasks([
      { owner: 'one', until: 10 },
      { owner: 'other', until: 10 },
      { owner: 'one', status: 'succeeded' },
      { status: 'requested' },
      { owner: 'one', until: 10 },
    ]);
    const before = await rows();
    expect(await work(ids.slice(0, 4))).toEqual(answer);
    const after = await rows();
    expect(after[0]).toMatchObject(expected);
    expect(after.slice(1)).toEqual(before.slice(1));
  });

  test('that are rejected tell it to the module of a schedule, whose other writes are undone', async () => {
    const told: string[] = [];
    const runner: TaskRunner = {
      async accept(tx) {
        await tx.query(`insert into server_secret (name, value) values ('half', '\\x01')`);
        throw new TaskRejected('no network has this id', 'No network');
      },
      async onScheduleRejected(tx, { taskId }, reason) {
        await tx.query(`insert into server_secret (name, value) values ('told', '\\x01')`);
        told.push(`${ids.indexOf(taskId)} ${reason}`);
      },
      run: async () => undefined,
    };
    const task = { spaceId, namespace: 'test', method: 'run', params: {}, requestedBy: null };
    const insert = (over: Partial<TaskRunner>, more: object) =>
      database.transaction((tx) =>
        insertTask(tx, { ...runner, ...over }, { ...task, taskId: ids[0]!, ...more }, clock.now()),
      );
    expect(await insert({}, {})).toBe('rejected');
    expect(told).toEqual([]);
    expect(await insert({}, { taskId: ids[1]!, taskScheduleId: ids[4]!, late: true })).toBe('rejected');
    expect(told).toEqual(['1 no network has this id']);
    expect(await insert({ accept: async () => ({ snapshotId: ids[3]! }) }, { taskId: ids[2]! })).toBe(
      'requested',
    );
    const broken = { accept: () => Promise.reject(new Error('broken')) };
    await expect(insert(broken, { taskId: ids[3]! })).rejects.toThrow('broken');
    expect(await rowsOf('select name from server_secret')).toEqual([{ name: 'told' }]);
    const error_descriptor = { title: 'No network', detail: 'no network has this id' };
    const rejected = { status: 'rejected', ended_at: at(), error_descriptor, snapshot_id: null };
    expect(await rows()).toMatchObject([
      { ...rejected, late: false, task_schedule_id: null },
      { ...rejected, late: true, task_schedule_id: ids[4] },
      { status: 'requested', ended_at: null, error_descriptor: null, snapshot_id: ids[3], late: false },
    ]);
    // Absent and not the JSON value null.
    expect(await rowsOf('select error_descriptor is null as none from task order by task_id')).toEqual([
      ...[{ none: false }, { none: false }, { none: true }],
    ]);
  });
});
