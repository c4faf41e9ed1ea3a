// Rows are worked on when they are due, whatever fails, changes or runs meanwhile.
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { DelayedJobTimer } from '../../../src/alerthub/pipeline/delayed-job-timer.ts';
import { PipelineTimers } from '../../../src/alerthub/pipeline/pipeline-timers.ts';
import { ManualClock } from '../../../src/common/clock.ts';
import { type Change, ChangeBus } from '../../../src/db/change-bus.ts';
import type { Database } from '../../../src/db/database.ts';

/** A timer of rows that are due at the given milliseconds from now; `work` may do something else than finishing one row. */
function start(...due: number[]) {
  const clock = new ManualClock();
  const began = clock.now();
  const state = { due, done: [] as number[], queries: 0, isAway: false, warnings: [] as string[] };
  const database = {
    async query() {
      state.queries += 1;
      if (state.isAway) throw new Error('away');
      const next = Math.min(...state.due);
      return { rows: [{ at: state.due.length > 0 ? new Date(began + next).toISOString() : null }] };
    },
    kind: 'embedded',
  } as unknown as Database;
  const changes = new ChangeBus({ database, clock, log: () => {}, instance: 'here' });
  const job = {
    label: 'delayed rows',
    nextDueStatement: { name: 'next', text: 'select' },
    watchedResources: ['trigger'],
    work: async () => {
      const next = Math.min(...state.due);
      if (next > clock.now() - began) return false;
      state.due = state.due.filter((one) => one !== next);
      state.done.push(clock.now() - began);
      return true;
    },
  };
  const timer = new DelayedJobTimer(
    { database, clock, changes, log: ({ message }) => void state.warnings.push(message) },
    job,
  );
  onTestFinished(() => timer.close());
  /** Moves the time, and lets everything happen that waits for no further time. */
  const advance = async (ms: number) => {
    clock.advance(ms);
    for (let turn = 0; turn < 20; turn++) await setImmediate();
  };
  return { timer, state, job, clock, changes, advance };
}

test('works on each row when it is due, and on those that were due before at once', async () => {
  const { timer, state, advance } = start(-5, 0, 1_000, 3_000);
  timer.schedule();
  await advance(0);
  expect(state.done).toEqual([0, 0]);
  await advance(999);
  expect(state.done).toHaveLength(2);
  await advance(1);
  await advance(2_000);
  expect(state.done).toEqual([0, 0, 1_000, 3_000]);
});

test('looks once for several requests at one time, and again for those that came meanwhile', async () => {
  const { timer, state, advance } = start(10_000);
  for (let request = 0; request < 5; request++) timer.schedule();
  await advance(0);
  expect(state.queries).toBe(2);
});

test('a change of a watched resource brings the time forward, others do not', async () => {
  const { timer, state, changes, advance } = start(50_000);
  timer.schedule();
  await advance(0);
  const change: Omit<Change, 'resource'> = { spaceId: 's', id: 'i', op: 'update', at: '' };
  state.due.push(2_000);
  changes.publish([{ ...change, resource: 'rule' }]);
  await advance(0);
  expect(state.queries).toBe(1);
  // Its runtime state tells nothing about its time.
  changes.publish([{ ...change, resource: 'trigger', state: true }]);
  await advance(0);
  expect(state.queries).toBe(1);
  changes.publish([
    { ...change, resource: 'rule' },
    { ...change, resource: 'trigger' },
  ]);
  await advance(0);
  await advance(2_000);
  expect(state.done).toEqual([2_000]);
});

test('sleeps no longer than a minute, because rows of other servers are not always announced', async () => {
  const { timer, state, advance } = start();
  timer.schedule();
  await advance(0);
  state.due.push(30_000);
  await advance(59_999);
  expect(state).toMatchObject({ done: [], queries: 1 });
  await advance(1);
  expect(state.done).toEqual([60_000]);
});

test('tries again after five seconds when the database is away or the work fails', async () => {
  const { timer, state, job, advance } = start(0);
  state.isAway = true;
  timer.schedule();
  await advance(0);
  state.isAway = false;
  const { work } = job;
  job.work = async () => {
    job.work = work;
    throw new Error('no');
  };
  await advance(5_000);
  expect(state).toMatchObject({ done: [], warnings: ['delayed rows failed, will be tried again'] });
  await advance(4_999);
  expect(state.done).toEqual([]);
  await advance(1);
  expect(state.done).toEqual([10_000]);
  await timer.idle();
});

test('does nothing once it is closed', async () => {
  const { timer, state, advance } = start(1_000);
  timer.schedule();
  await advance(0);
  timer.close();
  timer.schedule();
  await advance(120_000);
  expect(state).toMatchObject({ done: [], queries: 1 });
});

test('has one timer, however often and for whatever reason it is set', async () => {
  const { timer, state, job, clock, advance } = start(50_000);
  const scheduleAgain = async () => {
    timer.schedule();
    await advance(0);
    return clock.timerCount;
  };
  expect([await scheduleAgain(), await scheduleAgain()]).toEqual([1, 1]);
  state.isAway = true;
  expect([await scheduleAgain(), await scheduleAgain()]).toEqual([1, 1]);
  state.isAway = false;
  expect(await scheduleAgain()).toBe(1);
  // Due while a timer is set: after the work, and after work that failed.
  state.due.push(0);
  expect(await scheduleAgain()).toBe(1);
  expect(state.done).toEqual([0]);
  job.work = () => Promise.reject(new Error('no'));
  state.due.push(0);
  expect(await scheduleAgain()).toBe(1);
  timer.close();
  expect(clock.timerCount).toBe(0);
});

test.each([
  ['looks for the next row', false],
  ['fails to look for it', true],
])('leaves nothing behind when it is closed as it %s', async (_when, isAway) => {
  const { timer, state, clock, advance } = start(1_000);
  state.isAway = isAway;
  timer.schedule();
  timer.close();
  await advance(0);
  expect(clock.timerCount).toBe(0);
});

test('begins no work when it is closed as it finds a due row, and none after the row being worked on', async () => {
  const found = start(0);
  found.timer.schedule();
  found.timer.close();
  await found.advance(120_000);
  expect(found.state.done).toEqual([]);
  const working = start(0, 1, 2);
  const { work } = working.job;
  working.job.work = () => {
    working.timer.close();
    return work();
  };
  working.clock.advance(5);
  working.timer.schedule();
  await working.advance(0);
  await working.advance(120_000);
  expect(working.state.done).toEqual([5]);
  expect(working.clock.timerCount).toBe(0);
});

test('a time that changes while rows are worked on is looked for again after the work', async () => {
  const { timer, state, job, advance } = start(0);
  const { work } = job;
  job.work = async () => {
    job.work = work;
    // Work that takes care of its row, and of another that comes meanwhile and is announced.
    await work();
    state.due.push(1_000);
    timer.schedule();
    return false;
  };
  timer.schedule();
  await advance(0);
  await advance(1_000);
  expect(state.done).toEqual([0, 1_000]);
});

test.each([
  ['next-release', 'runDueTriggers'],
  ['next-runbook', 'runDueRunbooks'],
  ['next-return', 'requeuePostponed'],
])(
  'the timers of the pipeline are idle only when the work on rows of %s has ended',
  async (statement, work) => {
    const clock = new ManualClock();
    let isDue = true;
    const database = {
      query: async ({ name }: { name: string }) => ({
        rows: [{ at: isDue && name === statement ? new Date(clock.now()).toISOString() : null }],
      }),
      kind: 'embedded',
    } as unknown as Database;
    const order: string[] = [];
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const nothing = async () => false;
    const timers = new PipelineTimers(
      {
        database,
        clock,
        changes: new ChangeBus({ database, clock, log: () => {}, instance: 'here' }),
        log: () => {},
      },
      {
        ...{ runDueTriggers: nothing, runDueRunbooks: nothing, requeuePostponed: nothing },
        [work]: async () => {
          order.push('began');
          await held;
          isDue = false;
          order.push('ended');
          return false;
        },
      },
    );
    onTestFinished(() => timers.close());
    timers.start();
    const idle = timers.idle().then(() => order.push('idle'));
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    expect(order).toEqual(['began']);
    end();
    await idle;
    expect(order).toEqual(['began', 'ended', 'idle']);
  },
);
