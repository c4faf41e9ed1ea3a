// What becomes of tasks in one process: claimed, aborted, told to others, and stopped with the process.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { LogLine } from '../../src/common/log.ts';
import { type Change, ChangeBus } from '../../src/db/change-bus.ts';
import type { Database, Statement } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import { type RunningTask, TaskFailed } from '../../src/jobs/task-runner.ts';
import { Tasks } from '../../src/jobs/tasks.ts';
import { refuseRows } from '../support/sql/refuse-rows.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';
import { trackDatabase } from './tracked-database.ts';

const spaceId = '0190a0a0-6666-7000-8000-000000000001';
const otherSpaceId = '0190a0a0-6666-7000-8000-000000000002';

let store: TestStore;
let database: Database;
let settled: () => Promise<void>;
let clock: ManualClock;
let changes: ChangeBus;
let published: Change[];
let lines: LogLine[];
let tasks: Tasks;
/** Label and end of the tasks whose module was informed. */
let ended: string[];
/** Runs by label; a resumed run replaces the one before. */
let runs: Map<string, { task: RunningTask; end(): void; fail(error: Error): void }>;
/** Labels of the runs that have begun. */
let begun: string[];
let canAbort: boolean;

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
  changes = new ChangeBus({ database, clock, log: (line) => void lines.push(line), instance: 'one' });
  published = [];
  changes.listen((list) => void published.push(...list));
  lines = [];
  ended = [];
  runs = new Map();
  begun = [];
  canAbort = true;
  tasks = createTasks();
});
afterEach(async () => {
  for (const { end } of runs.values()) end();
  await tasks.close();
  await database.query('delete from task');
});

function createTasks(over = database): Tasks {
  const log = (line: LogLine) => void lines.push(line);
  const nextId = createIdSource(clock);
  const made = new Tasks({ database: over, clock, log, changes, nextId, instance: 'one' });
  for (const method of ['once', 'resumable'])
    made.register('test', method, {
      resumable: method === 'resumable',
      canAbort: async () => canAbort,
      run: (task) =>
        new Promise((resolve, reject) => {
          const label = task.params.label as string;
          begun.push(task.resumed ? `${label} again` : label);
          runs.set(label, { task, end: () => resolve({ done: label }), fail: reject });
          task.signal.addEventListener('abort', () => reject(new Error('cut')));
        }),
      async onEnded(_tx, { params }, end) {
        if (params.refuses === end) throw new Error('poison');
        ended.push(`${params.label} ${end}`);
      },
    });
  return made;
}

const request = (label: string, method = 'once', params = {}) => ({
  ...{ spaceId, namespace: 'test', method, requestedBy: null },
  params: { label, ...params },
});
/** Stores a task that nobody has claimed yet. */
const storeWaiting = async (label: string, method?: string, params?: object) =>
  (await database.transaction((tx) => tasks.requestInTransaction(tx, request(label, method, params)))).taskId;
/** Stores a task that another process runs, with a lease for so many milliseconds. */
async function storeStarted(label: string, leaseMs: number, method?: string): Promise<string> {
  const taskId = await storeWaiting(label, method);
  await database.query(
    `update task set status = 'started', owner = 'other', lease_until = $2 where task_id = $1`,
    [taskId, isoTime(clock.now() + leaseMs)],
  );
  return taskId;
}
async function begin(label: string, method?: string): Promise<string> {
  const { taskId } = await tasks.request(request(label, method));
  await settled();
  expect(begun).toContain(label);
  return taskId;
}
const rowOf = async (taskId: string) =>
  (
    await database.query<Record<string, unknown>>(
      `select status, owner, lease_until, abort_requested, progress, result, error_descriptor->>'detail' as why,
         ended_at, updated_at from task where task_id = $1`,
      [taskId],
    )
  ).rows[0]!;
const advance = async (milliseconds: number) => {
  clock.advance(milliseconds);
  await settled();
};
const at = (offset = 0) => isoTime(clock.now() + offset);
const updates = (taskId: string) =>
  published.filter(({ id, op, state }) => id === taskId && op === 'update' && !state).length;

test('a method has one runner', () => {
  expect(() => tasks.register('test', 'once', { run: async () => undefined })).toThrow(
    'test once has a runner',
  );
});

test('what happens to a task is told, and its progress as a change of its state', async () => {
  const taskId = await begin('told');
  runs.get('told')!.task.progress(40);
  await advance(1000);
  runs.get('told')!.end();
  await settled();
  const about = { spaceId, resource: 'task', id: taskId };
  const start = isoTime(clock.now() - 1000);
  expect(published).toEqual([
    { ...about, op: 'create', at: start },
    { ...about, op: 'update', at: start },
    { ...about, op: 'update', at: at(), state: true },
    { ...about, op: 'update', at: at() },
  ]);
});

test('the progress of a task that has ended meanwhile is dropped', async () => {
  const taskId = await begin('quick');
  runs.get('quick')!.task.progress(40);
  runs.get('quick')!.end();
  await settled();
  published = [];
  await advance(1000);
  expect(await rowOf(taskId)).toMatchObject({ status: 'succeeded', progress: 100 });
  expect(published).toEqual([]);
});

describe('an abort', () => {
  test('ends a waiting task at once, and no other', async () => {
    const [taskId, other] = [await storeWaiting('first'), await storeWaiting('other')];
    await advance(500);
    for (const [space, id] of [
      [otherSpaceId, taskId],
      [spaceId, spaceId],
    ] as const)
      expect(await tasks.abort(space, id)).toBe(false);
    expect(published).toEqual([]);
    expect(await tasks.abort(spaceId, taskId)).toBe(true);
    expect(await rowOf(taskId)).toMatchObject({ status: 'aborted', ended_at: at(), updated_at: at() });
    expect(await rowOf(other)).toMatchObject({ status: 'requested', abort_requested: false, ended_at: null });
    expect(ended).toEqual(['first aborted']);
    expect(published).toEqual([{ spaceId, resource: 'task', id: taskId, op: 'update', at: at() }]);
    expect(await tasks.abort(spaceId, taskId)).toBe(false);
    expect(ended).toEqual(['first aborted']);
  });

  test('of a waiting task is undone when its module refuses it', async () => {
    const taskId = await storeWaiting('stubborn', 'once', { refuses: 'aborted' });
    await expect(tasks.abort(spaceId, taskId)).rejects.toThrow('poison');
    expect(await rowOf(taskId)).toMatchObject({ status: 'requested', abort_requested: false });
  });

  test('stops a running task, which ends as aborted whatever it throws', async () => {
    const taskId = await begin('running');
    const { task, fail } = runs.get('running')!;
    task.signal.addEventListener('abort', () => fail(new TaskFailed('the agent is away')));
    expect(await tasks.abort(spaceId, taskId)).toBe(true);
    expect(task.signal.reason).toBe('asked');
    await settled();
    expect(await rowOf(taskId)).toMatchObject({ status: 'aborted', why: null, ended_at: at(), owner: null });
    expect(ended).toEqual(['running aborted']);
  });

  test('does not stop a task that can no longer be aborted, and takes back no request for another', async () => {
    const [taskId, other] = [await begin('late'), await begin('other')];
    await database.query('update task set abort_requested = true where task_id = $1', [other]);
    canAbort = false;
    published = [];
    expect(await tasks.abort(spaceId, taskId)).toBe(false);
    expect(runs.get('late')!.task.signal.aborted).toBe(false);
    expect(published).toEqual([]);
    expect(await rowOf(taskId)).toMatchObject({ status: 'started', abort_requested: false });
    expect(await rowOf(other)).toMatchObject({ abort_requested: true });
  });

  test('that another process stored is looked for when it tells of the task', async () => {
    await tasks.start();
    const taskId = await begin('remote');
    await database.query('update task set abort_requested = true where task_id = $1', [taskId]);
    const change = { spaceId, resource: 'task', id: taskId, op: 'update', at: at() } as const;
    changes.publish([{ ...change, resource: 'scope' }]);
    changes.publish([{ ...change, id: spaceId }]);
    await settled();
    expect(runs.get('remote')!.task.signal.aborted).toBe(false);
    changes.publish([{ ...change, resource: 'scope' }, change]);
    await settled();
    expect(await rowOf(taskId)).toMatchObject({ status: 'aborted' });
  });
});

describe('claiming', () => {
  test('looks for what another process stored every two seconds', async () => {
    await tasks.start();
    await storeWaiting('stored');
    await advance(1999);
    expect(begun).toEqual([]);
    await advance(1);
    expect(begun).toEqual(['stored']);
  });

  test('takes over at its start what a dead process left, and what it had not begun', async () => {
    const [resumed, failed] = [
      await storeStarted('left', 60_000, 'resumable'),
      await storeStarted('cut', 60_000),
    ];
    await storeWaiting('waiting');
    await tasks.start();
    expect(begun.toSorted()).toEqual(['left again', 'waiting']);
    expect(await rowOf(resumed)).toMatchObject({ status: 'started', owner: 'one', lease_until: at(30_000) });
    expect(await rowOf(failed)).toMatchObject({
      ...{
        status: 'failed',
        why: 'the server that ran the task ended unexpectedly',
        owner: null,
        result: null,
      },
    });
    expect(ended).toEqual(['cut failed']);
    expect(updates(failed)).toBe(1);
  });

  test.each(['once', 'resumable'])('does not begin a task again that still runs here: %s', async (method) => {
    const taskId = await begin('suspended', method);
    // As after a suspend of the machine: the lease is over before it could be renewed.
    clock.sleep(60_000);
    await tasks.request(request('next'));
    await settled();
    expect(begun).toEqual(['suspended', 'next']);
    runs.get('suspended')!.end();
    await settled();
    expect(await rowOf(taskId)).toMatchObject({ status: 'succeeded', result: { done: 'suspended' } });
  });

  test('renews the lease of what runs every five seconds, for thirty', async () => {
    await tasks.start();
    const taskId = await begin('long');
    const until = at(30_000);
    expect(await rowOf(taskId)).toMatchObject({ owner: 'one', lease_until: until });
    await advance(4999);
    expect(await rowOf(taskId)).toMatchObject({ lease_until: until });
    await advance(1);
    expect(await rowOf(taskId)).toMatchObject({ lease_until: at(30_000) });
  });

  test('fails and tells what cannot be claimed, even if the module refuses its end', async () => {
    const end = await refuseRows(() => database, 'task', `new.status = 'started'`, 'update');
    const [plain, refused] = [
      await storeWaiting('plain'),
      await storeWaiting('refused', 'once', { refuses: 'failed' }),
    ];
    await tasks.start();
    await settled();
    await end();
    for (const taskId of [plain, refused]) {
      const why = 'an unexpected error; see the log of the server for details';
      expect(await rowOf(taskId)).toMatchObject({ status: 'failed', why, ended_at: at() });
      expect(updates(taskId)).toBe(1);
    }
    expect(ended).toEqual(['plain failed']);
    expect(lines).toContainEqual(
      expect.objectContaining({ message: 'the end of a task was refused', taskId: refused, error: 'poison' }),
    );
  });
});

describe('the end of a run', () => {
  test.each([
    ['of the module has its words', new TaskFailed('the agent is away'), 'the agent is away', []],
    [
      'that is unexpected is told in the log alone',
      new Error('inside of the server'),
      'an unexpected error; see the log of the server for details',
      [
        {
          level: 'error',
          message: 'task failed',
          namespace: 'test',
          method: 'once',
          error: 'inside of the server',
        },
      ],
    ],
  ])('by an error %s', async (_what, error, why, logged) => {
    const taskId = await begin('failing');
    runs.get('failing')!.fail(error);
    await settled();
    expect(await rowOf(taskId)).toMatchObject({ status: 'failed', why, progress: null, owner: null });
    expect(ended).toEqual(['failing failed']);
    expect(lines).toMatchObject(logged);
    expect(lines).toHaveLength(logged.length);
  });

  test('that the module refuses fails the task, and is told', async () => {
    const taskId = (await tasks.request(request('refused', 'once', { refuses: 'succeeded' }))).taskId;
    await settled();
    published = [];
    runs.get('refused')!.end();
    await settled();
    expect(await rowOf(taskId)).toMatchObject({ status: 'failed', result: null });
    expect(updates(taskId)).toBe(1);
  });

  describe('while the database is away', () => {
    let isAway: boolean;
    beforeEach(async () => {
      isAway = false;
      tasks = createTasks(
        Object.create(database, {
          transaction: {
            async value(work: Parameters<Database['transaction']>[0]) {
              if (isAway) throw new StoreUnavailable('away');
              return database.transaction(work);
            },
          },
        }),
      );
      await tasks.start();
    });

    test.each([
      ['of success', 'end', { status: 'succeeded', result: { done: 'unstored' } }],
      ['of a failure', 'fail', { status: 'failed', why: 'no disk', result: null }],
    ] as const)('%s is stored when it is back', async (_what, how, row) => {
      const taskId = await begin('unstored');
      isAway = true;
      runs.get('unstored')![how](new TaskFailed('no disk'));
      await settled();
      for (let tries = 0; tries < 3; tries++) await advance(2_000);
      expect(lines).toMatchObject([
        { level: 'warn', message: 'the end of a task was not stored, will be tried again', error: 'away' },
      ]);
      expect(await rowOf(taskId)).toMatchObject({ status: 'started' });
      isAway = false;
      await advance(1_999);
      expect(await rowOf(taskId)).toMatchObject({ status: 'started' });
      await advance(1);
      expect(await rowOf(taskId)).toMatchObject(row);
    });

    test('is left to the lease when the process ends', async () => {
      const taskId = await begin('unstored');
      isAway = true;
      runs.get('unstored')!.end();
      await settled();
      await tasks.close();
      expect(lines.at(-1)).toMatchObject({ level: 'warn', message: 'the end of a task was not stored' });
      expect(await rowOf(taskId)).toMatchObject({ status: 'started', owner: 'one' });
    });
  });
});

describe('closing', () => {
  test('fails what runs with the reason, and leaves what can be resumed to another process at once', async () => {
    await tasks.start();
    const [once, resumable] = [await begin('once'), await begin('resumable', 'resumable')];
    runs.get('once')!.task.progress(10);
    const { task } = runs.get('resumable')!;
    task.signal.addEventListener('abort', () => task.progress(20));
    await tasks.close();
    expect(await rowOf(once)).toMatchObject({
      status: 'failed',
      why: 'the server was stopped while the task ran',
    });
    expect(await rowOf(resumable)).toMatchObject({ status: 'started', owner: null, lease_until: at() });
    expect(ended).toEqual(['once failed']);
    expect(clock.timerCount).toBe(0);
    await tasks.request(request('later'));
    await settled();
    expect(begun).toEqual(['once', 'resumable']);
  });

  /** Tasks over a database that holds the statement of that name until it is released. */
  function holding(name: string) {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    tasks = createTasks(
      Object.create(database, {
        query: {
          async value(statement: Statement, values?: unknown[]) {
            if (isHeld && typeof statement === 'object' && statement.name === name) await held;
            return database.query(statement, values);
          },
        },
      }),
    );
    return {
      release,
      hold: () => {
        isHeld = true;
      },
    };
  }

  test('waits for a claim that has begun, and stops what it took', async () => {
    const { hold, release } = holding('claim-tasks');
    await tasks.start();
    hold();
    const { taskId } = await tasks.request(request('taken'));
    await settled();
    let hasClosed = false;
    const closed = tasks.close().then(() => {
      hasClosed = true;
    });
    await settled();
    expect(hasClosed).toBe(false);
    release();
    await closed;
    expect(begun).toEqual(['taken']);
    expect(await rowOf(taskId)).toMatchObject({
      status: 'failed',
      why: 'the server was stopped while the task ran',
    });
  });

  test('waits for a renewal of leases that has begun', async () => {
    const { hold, release } = holding('renew-task-leases');
    await tasks.start();
    await begin('long', 'resumable');
    hold();
    clock.advance(5000);
    let hasClosed = false;
    const closed = tasks.close().then(() => {
      hasClosed = true;
    });
    await settled();
    expect(hasClosed).toBe(false);
    release();
    await closed;
  });
});
