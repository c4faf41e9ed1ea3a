import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { LogLine } from '../../src/common/log.ts';
import { type Change, ChangeBus } from '../../src/db/change-bus.ts';
import type { Database } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import { TaskScheduler } from '../../src/jobs/task-scheduler.ts';
import { Tasks } from '../../src/jobs/tasks.ts';
import { refuseRows } from '../support/sql/refuse-rows.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';
import { trackDatabase } from './tracked-database.ts';

const spaceId = '0190a0a0-5555-7000-8000-000000000001';
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const daily = { recurrence: { frequency: 'day', hour: 3, minute: 0, timeZone: 'UTC' } };

let store: TestStore;
let database: Database;
let settle: () => Promise<void>;
let clock: ManualClock;
let changes: ChangeBus;
let tasks: Tasks;
let scheduler: TaskScheduler;
let published: Change[];
let lines: LogLine[];
/** Labels of the schedules whose tasks ran, in order. */
let ran: string[];

beforeAll(async () => {
  store = (await createStoreWithTables('embedded'))!;
  ({ database, settled: settle } = trackDatabase(await store.open()));
  await database.query(
    `insert into space (space_id, display_name, created_at, updated_at) values ($1, 'Test', now(), now())`,
    [spaceId],
  );
}, 120_000);
afterAll(() => store?.remove());
beforeEach(() => {
  clock = new ManualClock();
  lines = [];
  ran = [];
  published = [];
  const nextId = createIdSource(clock);
  const log = (line: LogLine) => void lines.push(line);
  changes = new ChangeBus({ database, clock, log, instance: 'one' });
  changes.listen((list) => void published.push(...list));
  tasks = new Tasks({ database, clock, log, changes, nextId, instance: 'one' });
  tasks.register('sonar', 'note', { run: async ({ params }) => void ran.push(params.label as string) });
  scheduler = new TaskScheduler({ database, clock, log, nextId, changes, tasks });
});
afterEach(async () => {
  await scheduler.close();
  await tasks.close();
  await database.query('delete from task_schedule');
  for (const table of ['resource', 'task', 'trouble']) await database.query(`delete from ${table}`);
});

/** Stores a schedule whose next run is so many milliseconds from now. */
async function addSchedule(label: string, dueIn: number, timing: object = daily): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    `with made as (
       insert into task_schedule (task_schedule_id, space_id, namespace, next_run_at)
       values (gen_random_uuid(), $1, 'sonar', $2) returning task_schedule_id as id
     )
     insert into resource (space_id, kind, id, body, created_at, updated_at)
     select $1, 'task-schedule', id, $3, $4, $4 from made returning id`,
    [
      spaceId,
      isoTime(clock.now() + dueIn),
      JSON.stringify({ namespace: 'sonar', method: 'note', params: { label }, disabled: false, ...timing }),
      isoTime(clock.now()),
    ],
  );
  return rows[0]!.id;
}
const rowsOf = async (text: string) => (await database.query<Record<string, unknown>>(text)).rows;
/** Next run of each schedule, by label. */
const nextRuns = async () =>
  Object.fromEntries(
    (
      await rowsOf(
        `select r.body->'params'->>'label' as label, s.next_run_at as at
         from task_schedule s join resource r on r.id = s.task_schedule_id`,
      )
    ).map(({ label, at }) => [label, at]),
  );
const advance = async (milliseconds: number) => {
  clock.advance(milliseconds);
  await settle();
};

test('a daily schedule that ran while the clock was ahead runs the next day once the clock is right', async () => {
  const ahead = 40 * 24 * hour;
  await addSchedule('daily', 3 * hour);
  await addSchedule('other', 50 * 24 * hour);
  clock.jump(ahead);
  await scheduler.start();
  await settle();
  expect(ran).toEqual(['daily']);
  expect(await nextRuns()).toMatchObject({ daily: '2026-02-10T03:00:00.000Z' });
  clock.jump(-ahead);
  await scheduler.correctNextRuns();
  expect(await nextRuns()).toEqual({
    daily: '2026-01-01T03:00:00.000Z',
    other: isoTime(clock.now() + 50 * 24 * hour),
  });
  scheduler.wake();
  await settle();
  await advance(3 * hour);
  expect(ran).toEqual(['daily', 'daily']);
});

test('a schedule starts exactly at its time, and the next run is stored with the task', async () => {
  const taskScheduleId = await addSchedule('daily', minute);
  await addSchedule('other', hour);
  await scheduler.start();
  await advance(minute - 1);
  expect(ran).toEqual([]);
  await advance(1);
  expect(ran).toEqual(['daily']);
  const [task] = await rowsOf('select task_id, task_schedule_id, requested_by, late from task');
  expect(task).toMatchObject({ task_schedule_id: taskScheduleId, requested_by: null, late: false });
  expect(
    await rowsOf('select next_run_at, last_run_at, last_task_id from task_schedule order by last_run_at'),
  ).toEqual([
    {
      next_run_at: '2026-01-01T03:00:00.000Z',
      last_run_at: '2026-01-01T00:01:00.000Z',
      last_task_id: task!.task_id,
    },
    { next_run_at: '2026-01-01T01:00:00.000Z', last_run_at: null, last_task_id: null },
  ]);
  const at = isoTime(clock.now());
  expect(published.slice(0, 2)).toEqual([
    { resource: 'task-schedule', op: 'update', at, state: true, spaceId, id: taskScheduleId },
    { resource: 'task', op: 'create', at, spaceId, id: task!.task_id },
  ]);
});

test('a start is late when it is more than a minute after its time', async () => {
  await addSchedule('in time', -minute);
  await addSchedule('late', -minute - 1);
  await scheduler.start();
  expect(await rowsOf(`select params->>'label' as label, late from task order by 1`)).toEqual([
    { label: 'in time', late: false },
    { label: 'late', late: true },
  ]);
});

test('all that are due start at once, the longest due first', async () => {
  const labels = Array.from({ length: 55 }, (_, index) => `schedule ${index}`);
  for (const [index, label] of labels.entries()) await addSchedule(label, -minute + index);
  await scheduler.start();
  expect(
    (await rowsOf(`select params->>'label' as label from task order by task_id`)).map(({ label }) => label),
  ).toEqual(labels);
});

test('a schedule for one time is disabled after its run, and no other is', async () => {
  const once = await addSchedule('once', 0, { oneshot: isoTime(clock.now()) });
  await addSchedule('daily', 0);
  await scheduler.start();
  expect(await nextRuns()).toEqual({ once: null, daily: '2026-01-01T03:00:00.000Z' });
  const disabled = `select id, version::int, updated_at from resource where body->>'disabled' = 'true'`;
  expect(await rowsOf(disabled)).toEqual([{ id: once, version: 2, updated_at: isoTime(clock.now()) }]);
});

test('a change of a schedule is looked at at once, but not a change of its state or of something else', async () => {
  await scheduler.start();
  await addSchedule('new', 0);
  const change = { spaceId, resource: 'task-schedule', id: spaceId, op: 'create', at: '' } as const;
  changes.publish([
    { ...change, state: true },
    { ...change, resource: 'task' },
  ]);
  await settle();
  expect(ran).toEqual([]);
  changes.publish([{ ...change, resource: 'task' }, change]);
  await settle();
  expect(ran).toEqual(['new']);
});

test('what another server has stored starts within thirty seconds', async () => {
  await addSchedule('later', 3 * hour);
  await scheduler.start();
  await addSchedule('sooner', 0);
  await advance(29_999);
  expect(ran).toEqual([]);
  await advance(1);
  expect(ran).toEqual(['sooner']);
});

test('a due schedule that cannot be taken now is looked at every five seconds', async () => {
  const id = await addSchedule('held', 0);
  await database.query(`update resource set kind = 'held' where id = $1`, [id]);
  await scheduler.start();
  await database.query(`update resource set kind = 'task-schedule' where id = $1`, [id]);
  await advance(4_999);
  expect(ran).toEqual([]);
  await advance(1);
  expect(ran).toEqual(['held']);
});

test('a schedule that cannot start its task is reported and tried again after an hour, and the others start', async () => {
  await addSchedule('first', -3);
  const bad = await addSchedule('bad', -2);
  await addSchedule('last', -1);
  const end = await refuseRows(() => database, 'task', `new.params->>'label' = 'bad'`);
  await scheduler.start();
  await settle();
  expect(ran.toSorted()).toEqual(['first', 'last']);
  expect(await nextRuns()).toEqual({
    first: '2026-01-01T03:00:00.000Z',
    bad: '2026-01-01T01:00:00.000Z',
    last: '2026-01-01T03:00:00.000Z',
  });
  expect(await rowsOf('select space_id, kind, subject_id, reason, created_at from trouble')).toEqual([
    {
      ...{ space_id: spaceId, kind: 'schedule', subject_id: bad, created_at: isoTime(clock.now()) },
      reason: { word: 'why.threw', params: { detail: 'poison' } },
    },
  ]);
  expect(lines).toMatchObject([
    { level: 'error', message: 'starting schedules: a row could not be done', id: bad },
  ]);
  await end();
  await advance(hour - 1);
  expect(ran).not.toContain('bad');
  await advance(1);
  expect(ran.filter((label) => label === 'bad')).toEqual(['bad']);
});

test('a schedule whose next run cannot be told is put off, found without being read', async () => {
  await addSchedule('good', -1);
  await addSchedule('broken', -2, {
    recurrence: { frequency: 'day', hour: 3, minute: 0, timeZone: 'Nowhere/None' },
  });
  await scheduler.start();
  await settle();
  expect(ran).toEqual(['good']);
  expect(await nextRuns()).toMatchObject({ broken: '2026-01-01T01:00:00.000Z' });
  // Its task was made in the same transaction.
  expect(await rowsOf(`select 1 from task where params->>'label' = 'broken'`)).toEqual([]);
});

test('a schedule on which the store does not answer, though it answers otherwise, is put off', async () => {
  await addSchedule('stuck', 0);
  let answers = 0;
  const stuck: Database = Object.create(database, {
    transaction: { value: () => Promise.reject(new StoreUnavailable('too slow')) },
    query: {
      value: (...args: Parameters<Database['query']>) => {
        if (args[0] === 'select 1') answers += 1;
        return database.query(...args);
      },
    },
  });
  const nextId = createIdSource(clock);
  const slow = new TaskScheduler({ database: stuck, clock, log: () => {}, nextId, changes, tasks });
  await slow.start();
  const timers = clock.timerCount;
  for (let attempt = 1; attempt < 5; attempt++) await advance(5_000);
  expect(await nextRuns()).toEqual({ stuck: isoTime(clock.now() + hour) });
  expect(answers).toBe(2);
  for (let wake = 0; wake < 3; wake++) await slow.idle();
  expect(clock.timerCount).toBe(timers);
  await slow.close();
});

test('closing waits for the starts that have begun, and begins no more', async () => {
  await addSchedule('daily', 0);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding: Database = Object.create(database, {
    transaction: {
      async value(work: Parameters<Database['transaction']>[0]) {
        await held;
        return database.transaction(work);
      },
    },
  });
  const nextId = createIdSource(clock);
  const slow = new TaskScheduler({ database: holding, clock, log: () => {}, nextId, changes, tasks });
  const started = slow.start();
  let hasClosed = false;
  const closed = slow.close().then(() => {
    hasClosed = true;
  });
  await settle();
  expect(hasClosed).toBe(false);
  release();
  await Promise.all([started, closed]);
  await settle();
  expect(ran).toEqual(['daily']);
  expect(clock.timerCount).toBe(0);
});
