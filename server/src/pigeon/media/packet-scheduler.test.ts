import { expect, test } from 'vitest';
import { ManualClock } from '../../common/clock.ts';
import { PacketScheduler } from './packet-scheduler.ts';

/** A scheduler whose timers fire late by the given milliseconds, in turn. */
function lateScheduler(lateness: readonly number[]) {
  const clock = new ManualClock(0);
  let index = 0;
  const scheduler = new PacketScheduler({
    now: () => clock.now(),
    after: (milliseconds, work) => clock.after(milliseconds + lateness[index++ % lateness.length]!, work),
  });
  return { clock, scheduler };
}

test('packets are due every 20 ms from the start, however late the timers fire', () => {
  const { clock, scheduler } = lateScheduler([3, 7, 0, 12]);
  const sent: { tick: number; dueAt: number; at: number }[] = [];
  scheduler.add((tick, dueAt) => sent.push({ tick, dueAt, at: clock.now() }));
  clock.advance(20_000);
  expect(sent.length).toBeGreaterThanOrEqual(999);
  for (const [index, { tick, dueAt, at }] of sent.entries()) {
    expect(tick).toBe(index + 1);
    expect(dueAt).toBe(20 * tick);
    expect(at - dueAt).toBeLessThanOrEqual(12);
    expect(at).toBeGreaterThanOrEqual(dueAt);
  }
});

test('after a stall the last five packets are sent at once and earlier ones left out', () => {
  const clock = new ManualClock(0);
  const scheduler = new PacketScheduler(clock);
  const late: [tick: number, lateness: number][] = [];
  scheduler.add((tick, dueAt) => late.push([tick, clock.now() - dueAt]));
  clock.advance(40);
  clock.sleep(1000);
  clock.advance(20);
  // The first of them says how long the stall was.
  expect(late).toEqual([
    [1, 0],
    [2, 0],
    [48, 980],
    [49, 60],
    [50, 40],
    [51, 20],
    [52, 0],
    [53, 0],
  ]);
});

test('all sessions share one timer, which stops with the last of them', () => {
  const clock = new ManualClock(0);
  let timers = 0;
  const scheduler = new PacketScheduler({
    now: () => clock.now(),
    after: (milliseconds, work) => {
      timers++;
      return clock.after(milliseconds, work);
    },
  });
  const counts = [0, 0, 0];
  const removes = counts.map((_, index) => scheduler.add(() => counts[index]!++));
  clock.advance(100);
  expect(counts).toEqual([5, 5, 5]);
  expect(timers).toBe(6);
  for (const remove of removes) remove();
  clock.advance(1000);
  expect(counts).toEqual([5, 5, 5]);
  expect(timers).toBe(6);
});

test('a session that replaces the last one while packets are sent goes on with the same timer', () => {
  const clock = new ManualClock(0);
  const scheduler = new PacketScheduler(clock);
  const ticks: number[] = [];
  const remove = scheduler.add(() => {
    remove();
    scheduler.add((tick) => ticks.push(tick));
  });
  clock.advance(100);
  expect(ticks).toEqual([1, 2, 3, 4, 5]);
});
