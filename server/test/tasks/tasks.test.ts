// Tasks and schedules on a real server: accepted or rejected, run once, announced, aborted, and recovered
// when a process dies.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import type { Database } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import { type RunningTask, TaskFailed, TaskRejected } from '../../src/jobs/task-runner.ts';
import { TaskScheduler } from '../../src/jobs/task-scheduler.ts';
import { Tasks } from '../../src/jobs/tasks.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { addSpace } from '../support/identity-server.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

interface TaskItem {
  taskId: string;
  status: string;
  progress: number | null;
  errorDescriptor: { title: string; detail: string } | null;
  result: unknown;
  snapshotId: string | null;
  taskScheduleId: string | null;
  late: boolean;
}

const snapshotId = '0190a0a0-4444-7000-8000-000000000001';
const minute = 60_000;
const day = 24 * 60 * minute;

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let callApi: ApiCall;
  /** Runs of the method `wait`, newest last; each ends on request. */
  let waiting: { task: RunningTask; end: () => void }[];
  let ended: string[];

  const register = (tasks: Tasks) => {
    tasks.register('sonar', 'wait', {
      accept: async () => ({ snapshotId }),
      run: (task) =>
        new Promise((resolve, reject) => {
          waiting.push({ task, end: () => resolve({ nodes: 3 }) });
          task.signal.addEventListener('abort', () => reject(new Error('cut')));
        }),
      onEnded: async (_tx, task, end) => void ended.push(`${task.taskId} ${end}`),
    });
    tasks.register('sonar', 'resume', {
      resumable: true,
      run: async (task) => ({ resumed: task.resumed }),
    });
    tasks.register('sonar', 'refuse', {
      async accept(tx) {
        await tx.query(`insert into server_secret (name, value) values ('half', '\\x01')`);
        throw new TaskRejected('no network has this id');
      },
      run: async () => undefined,
    });
    tasks.register('sonar', 'fail', {
      run: async () => {
        throw new TaskFailed('the agent is away');
      },
    });
    tasks.register('sonar', 'break', {
      run: async () => {
        throw new Error('inside of the server');
      },
    });
  };

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (!server) return;
    register(server.services.tasks);
    callApi = createApiCall(server.transportAs('privileged'));
  });
  beforeEach((context) => {
    if (!server) context.skip();
    waiting = [];
    ended = [];
  });
  afterAll(() => server?.stop());

  const start = async (method: string) => {
    const reply = await callApi('POST', '/api/tasks', { namespace: 'sonar', method, params: {} });
    expect(reply.status, reply.text).toBe(201);
    return reply.data as TaskItem;
  };
  const show = async (taskId: string) => (await callApi('GET', `/api/tasks/${taskId}`)).data as TaskItem;
  /** Resolves when the condition holds; the clock of the server stands still meanwhile. */
  const until = (holds: () => Promise<boolean> | boolean) =>
    vi.waitFor(async () => expect(await holds()).toBe(true), { timeout: 30_000, interval: 1 });
  const reaches = (taskId: string, status: string) =>
    until(async () => (await show(taskId)).status === status);

  test('a task is taken, runs, tells its progress and ends with a result', async () => {
    const made = await start('wait');
    expect(made).toMatchObject({ status: expect.stringMatching(/requested|started/), snapshotId });
    await until(() => waiting.length === 1);
    waiting[0]!.task.progress(20);
    clock.advance(999);
    expect((await show(made.taskId)).progress).not.toBe(20);
    waiting[0]!.task.progress(41.7);
    clock.advance(1);
    await until(async () => (await show(made.taskId)).progress === 41);
    expect(await show(made.taskId)).toMatchObject({ status: 'started' });
    waiting[0]!.end();
    await reaches(made.taskId, 'succeeded');
    expect(await show(made.taskId)).toMatchObject({ progress: 100, result: { nodes: 3 } });
    expect(ended).toEqual([`${made.taskId} succeeded`]);
  });

  test.each([
    [
      'refuse',
      {
        status: 'rejected',
        errorDescriptor: { title: 'Failed to register task', detail: 'no network has this id' },
      },
    ],
    [
      'unknown',
      {
        status: 'rejected',
        errorDescriptor: { title: 'Failed to register task', detail: 'no module runs sonar unknown' },
      },
    ],
    ['fail', { status: 'failed', errorDescriptor: { title: 'Task failed', detail: 'the agent is away' } }],
    [
      'break',
      {
        status: 'failed',
        errorDescriptor: { title: 'Task failed', detail: expect.not.stringContaining('inside') },
      },
    ],
  ])('a task of the method %s ends with a reason', async (method, end) => {
    const { taskId } = await start(method);
    await reaches(taskId, end.status);
    expect(await show(taskId)).toMatchObject({ ...end, endedAt: expect.any(String) });
    const { rows } = await server!.services.database.query(`select 1 from server_secret where name = 'half'`);
    expect(rows).toEqual([]);
  });

  test.each([
    [
      'unknown',
      'rejected',
      { title: 'タスクの登録に失敗しました', detail: 'sonar unknown を実行するモジュールはありません' },
    ],
    ['fail', 'failed', { title: 'タスクに失敗しました', detail: 'the agent is away' }],
    [
      'break',
      'failed',
      { title: 'タスクに失敗しました', detail: expect.stringMatching(/^予期しないエラー/) },
    ],
  ])(
    'the reason why a task of the method %s is %s is read in Japanese as well',
    async (method, status, errorDescriptor) => {
      const { taskId } = await start(method);
      await reaches(taskId, status);
      const ask = async (path: string) =>
        (await callApi('GET', path, undefined, { headers: { 'accept-language': 'ja' } })).data;
      expect(await ask(`/api/tasks/${taskId}`)).toMatchObject({ errorDescriptor });
      const { items } = (await ask(`/api/tasks?filter=taskId eq "${taskId}"`)) as { items: TaskItem[] };
      expect(items[0]!.errorDescriptor).toEqual(errorDescriptor);
      expect(Object.keys((await show(taskId)).errorDescriptor!)).toEqual(['title', 'detail']);
    },
  );

  test('sixteen tasks run at once, and the next one when one of them has ended', async () => {
    const made: TaskItem[] = [];
    for (let task = 0; task < 17; task++) made.push(await start('wait'));
    await until(() => waiting.length === 16);
    expect(await show(made[16]!.taskId)).toMatchObject({ status: 'requested' });
    waiting[0]!.end();
    await until(() => waiting.length === 17);
    for (const { end } of waiting) end();
    for (const { taskId } of made) await reaches(taskId, 'succeeded');
  });

  test('tasks of one space leave room for those of another, and go on when these have ended', async () => {
    const { tasks, database } = server!.services;
    const other = await addSpace(database, clock);
    const made: TaskItem[] = [];
    for (let task = 0; task < 20; task++) made.push(await start('wait'));
    await until(() => waiting.length === 16);
    const request = { namespace: 'sonar', method: 'wait', params: {}, requestedBy: null, spaceId: other };
    for (let task = 0; task < 2; task++) await tasks.request(request);
    await until(() => waiting.length === 18);
    expect(waiting.slice(16).map(({ task }) => task.spaceId)).toEqual([other, other]);
    expect(await show(made[16]!.taskId)).toMatchObject({ status: 'requested' });
    // While the other space needs room, some stays free for a third.
    waiting[0]!.end();
    await reaches(made[0]!.taskId, 'succeeded');
    expect(await show(made[16]!.taskId)).toMatchObject({ status: 'requested' });
    for (const { end } of waiting.slice(16)) end();
    await until(() => waiting.length === 19);
    expect(waiting[18]!.task.taskId).toBe(made[16]!.taskId);
    await until(() => {
      for (const { end } of waiting) end();
      return waiting.length === 22;
    });
    for (const { end } of waiting) end();
    for (const { taskId } of made) await reaches(taskId, 'succeeded');
  });

  test('a running task is aborted, and one that has ended is not', async () => {
    const [{ taskId }, other] = [await start('wait'), await start('wait')];
    await until(() => waiting.length === 2);
    expect((await callApi('POST', `/api/tasks/${taskId}/abort`)).status).toBe(200);
    await reaches(taskId, 'aborted');
    expect(ended).toEqual([`${taskId} aborted`]);
    expect((await show(other.taskId)).status).toBe('started');
    for (const { end } of waiting) end();
    await reaches(other.taskId, 'succeeded');
    expect((await callApi('POST', `/api/tasks/${taskId}/abort`)).data).toMatchObject({ status: 'aborted' });
    const done = await start('fail');
    await reaches(done.taskId, 'failed');
    expect((await callApi('POST', `/api/tasks/${done.taskId}/abort`)).status).toBe(409);
  });

  test('an abort that another process was asked for reaches the one that runs the task', async () => {
    const { taskId } = await start('wait');
    await until(() => waiting.length === 1);
    await server!.services.database.query('update task set abort_requested = true where task_id = $1', [
      taskId,
    ]);
    clock.advance(5000);
    await reaches(taskId, 'aborted');
  });

  test('a task that another process accepted and did not begin is run here', async () => {
    const { services } = server!;
    const taskId = services.nextId();
    await services.database.query(
      `insert into task (task_id, space_id, namespace, method, params, status, created_at, updated_at)
       values ($1, $2, 'sonar', 'resume', '{}', 'requested', $3, $3)`,
      [taskId, services.spaceId, isoTime(clock.now())],
    );
    clock.advance(2000);
    await reaches(taskId, 'succeeded');
  });

  test.each([
    ['wait', 'failed', { errorDescriptor: { detail: 'the server that ran the task ended unexpectedly' } }],
    ['resume', 'succeeded', { result: { resumed: true } }],
  ])('a task %s of a dead process is %s', async (method, status, end) => {
    const { services } = server!;
    const taskId = services.nextId();
    const at = (offset: number) => isoTime(clock.now() + offset);
    await services.database.query(
      `insert into task (task_id, space_id, namespace, method, params, status, owner, lease_until, created_at, started_at, updated_at)
       values ($1, $2, 'sonar', $3, '{}', 'started', $6, $4, $5, $5, $5)`,
      // Not the owner of another test: its leases are released ten seconds after it was first found dead.
      [taskId, services.spaceId, method, at(10_000), at(0), `dead ${method}`],
    );
    clock.advance(4000);
    await services.tasks.idle();
    expect((await show(taskId)).status).toBe('started');
    clock.advance(7000);
    await services.tasks.idle();
    await reaches(taskId, status);
    expect(await show(taskId)).toMatchObject(end);
    if (method === 'wait') expect(ended).toEqual([`${taskId} failed`]);
  });

  const schedule = async (timing: object, displayName: string) => {
    const body = {
      displayName,
      namespace: 'sonar',
      method: 'resume',
      params: { networkId: snapshotId },
      ...timing,
    };
    const reply = await callApi('POST', '/api/tasks/schedules', body);
    expect(reply.status, reply.text).toBe(201);
    return reply.data as {
      taskScheduleId: string;
      nextRunAt: string | null;
      kind: string;
      disabled: boolean;
    };
  };
  const shown = async (id: string) =>
    (await callApi('GET', `/api/tasks/schedules/${id}`)).data as Awaited<ReturnType<typeof schedule>> & {
      lastTaskId: string;
    };
  const runsOf = async (id: string) =>
    (
      (await callApi('GET', `/api/tasks?limit=100&filter=${encodeURIComponent(`taskScheduleId eq "${id}"`)}`))
        .data as {
        items: TaskItem[];
      }
    ).items;
  const daily = (hour: number) => ({ recurrence: { frequency: 'day', hour, minute: 0, timeZone: 'UTC' } });

  test('a due schedule starts one task, even when two servers look at once', async () => {
    const { services } = server!;
    const made = await schedule(daily(3), 'daily');
    expect(made).toMatchObject({ kind: 'daily', nextRunAt: '2026-01-01T03:00:00.000Z' });
    const others = [1, 2].map((number) => {
      const tasks = new Tasks({ ...services, instance: `other ${number}` });
      return new TaskScheduler({ ...services, tasks });
    });
    clock.advance(3 * 60 * minute);
    await Promise.all(others.map((other) => other.idle()));
    await until(async () => (await runsOf(made.taskScheduleId)).length > 0);
    await Promise.all(others.map((other) => other.close()));
    const runs = await runsOf(made.taskScheduleId);
    expect(runs).toMatchObject([{ late: false }]);
    expect(await shown(made.taskScheduleId)).toMatchObject({
      nextRunAt: '2026-01-02T03:00:00.000Z',
      lastTaskId: runs[0]!.taskId,
    });
  });

  test('a scheduler that does not reach the database looks again after five seconds', async () => {
    const { services } = server!;
    const own = new ManualClock(clock.now());
    let attempts = 0;
    const database: Database = Object.create(services.database, {
      transaction: {
        value: () => {
          attempts += 1;
          return Promise.reject(new StoreUnavailable('the database is away'));
        },
      },
    });
    const scheduler = new TaskScheduler({ ...services, clock: own, database });
    await scheduler.start();
    const before = attempts;
    expect(before).toBeGreaterThan(0);
    own.advance(4_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(attempts).toBe(before);
    own.advance(1);
    await expect.poll(() => attempts).toBeGreaterThan(before);
    await scheduler.close();
  });

  test('a closed scheduler has finished its run, and neither waits nor listens', async () => {
    const { services } = server!;
    const active = { timers: 0, listeners: 0, transactions: 0 };
    const counted = (kind: keyof typeof active, stop: () => void) => {
      active[kind] += 1;
      let isActive = true;
      const end = () => {
        if (isActive) active[kind] -= 1;
        isActive = false;
      };
      return {
        end,
        stop: () => {
          end();
          stop();
        },
      };
    };
    const wait = (milliseconds: number, work: () => void) => {
      let end = () => {};
      const cancel = clock.after(milliseconds, () => {
        end();
        work();
      });
      const timer = counted('timers', cancel);
      ({ end } = timer);
      return timer.stop;
    };
    const { changes, database } = services;
    const deps: ConstructorParameters<typeof TaskScheduler>[0] = {
      ...services,
      clock: { now: () => clock.now(), every: (...args) => clock.every(...args), after: wait },
      changes: {
        listen: (handler) => counted('listeners', changes.listen(handler)).stop,
        publish: (list) => changes.publish(list),
      },
      database: {
        query: (...args) => database.query(...args),
        async transaction(work) {
          const { end } = counted('transactions', () => {});
          try {
            return await database.transaction(work);
          } finally {
            end();
          }
        },
      },
    };
    const none = { timers: 0, listeners: 0, transactions: 0 };
    const idle = new TaskScheduler(deps);
    await idle.start();
    expect(active).toEqual({ timers: 1, listeners: 1, transactions: 0 });
    await idle.close();
    expect(active).toEqual(none);
    const busy = new TaskScheduler(deps);
    await busy.start();
    busy.wake();
    expect(active.transactions).toBe(1);
    await busy.close();
    expect(active).toEqual(none);
    for (const scheduler of [idle, busy]) {
      scheduler.wake();
      await scheduler.idle();
    }
    clock.advance(day);
    expect(active).toEqual(none);
  });

  test('a schedule for one time switches itself off, and the past is refused', async () => {
    const at = isoTime(clock.now() + 10 * minute);
    const made = await schedule({ oneshot: at }, 'once');
    clock.advance(10 * minute);
    await until(async () => (await shown(made.taskScheduleId)).disabled);
    expect(await runsOf(made.taskScheduleId)).toHaveLength(1);
    clock.advance(30 * minute);
    await server!.settled();
    expect(await runsOf(made.taskScheduleId)).toHaveLength(1);
    const past = { displayName: 'past', namespace: 'sonar', method: 'resume', oneshot: at };
    const refused = await callApi('POST', '/api/tasks/schedules', past);
    expect(refused.data).toMatchObject({ invalidParams: [{ name: 'oneshot' }] });
    expect(refused.status).toBe(400);
  });

  test('what is disabled does not run, and runs again after it is enabled', async () => {
    const made = await schedule({ ...daily(9), disabled: true }, 'off');
    expect(made.nextRunAt).toBeNull();
    const body = { ...(await shown(made.taskScheduleId)), disabled: false };
    const edited = await callApi('PUT', `/api/tasks/schedules/${made.taskScheduleId}`, body);
    expect((edited.data as { nextRunAt: string }).nextRunAt).toMatch(/T09:00:00/);
  });

  test('a run that was missed while the server was down is made once, and told as late', async () => {
    const made = await schedule(daily(6), 'missed');
    const stopped = server!.services.tasks;
    const before = await runsOf(made.taskScheduleId);
    const restarting = server!.restart();
    await stopped.idle();
    clock.sleep(3 * day);
    await restarting;
    await until(async () => (await runsOf(made.taskScheduleId)).length > before.length);
    const late = (await runsOf(made.taskScheduleId)).filter((run) => run.late);
    expect(late).toHaveLength(1);
    expect(Date.parse((await shown(made.taskScheduleId)).nextRunAt!)).toBeGreaterThan(clock.now());
    register(server!.services.tasks);
  });
});
