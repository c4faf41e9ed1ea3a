import { expect, test } from 'vitest';
import { isoTime, ManualClock } from '../clock.ts';
import type { LogLine } from '../log.ts';
import { ClockJumpGuard } from './clock-jump-guard.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function createGuard() {
  const lines: LogLine[] = [];
  const clock = new ManualClock();
  const guard = new ClockJumpGuard({ clock, log: (line) => void lines.push(line) }, 'log retention');
  return { clock, guard, lines, lastRunAt: isoTime(clock.now()) };
}

test('data is deleted at the first run, hourly, and after a server was off for two days', () => {
  const { clock, guard, lines, lastRunAt } = createGuard();
  expect(guard.mayDelete(null)).toBe(true);
  for (const pause of [0, hourMs, 2 * dayMs]) {
    clock.sleep(pause);
    expect(guard.mayDelete(lastRunAt)).toBe(true);
  }
  expect(lines).toEqual([]);
});

test('data is deleted an hour after a server was off for months', () => {
  const { clock, guard, lines, lastRunAt } = createGuard();
  clock.sleep(100 * dayMs);
  expect(guard.mayDelete(lastRunAt)).toBe(false);
  clock.sleep(hourMs);
  expect(guard.mayDelete(lastRunAt)).toBe(true);
  expect(lines).toMatchObject([{ level: 'warn', days: 100 }]);
});

test('nothing is deleted while the clock is 40 days ahead for less than an hour', () => {
  const { clock, guard, lastRunAt } = createGuard();
  clock.jump(40 * dayMs);
  expect(guard.mayDelete(lastRunAt)).toBe(false);
  clock.sleep(hourMs - 1);
  expect(guard.mayDelete(lastRunAt)).toBe(false);
  clock.jump(-40 * dayMs);
  expect(guard.mayDelete(lastRunAt)).toBe(true);
});

test('nothing is deleted while the clock is years ahead for less than a day, with one line', () => {
  const { clock, guard, lines, lastRunAt } = createGuard();
  clock.jump(4000 * dayMs);
  expect(guard.mayDelete(lastRunAt)).toBe(false);
  clock.sleep(23 * hourMs);
  expect(guard.mayDelete(lastRunAt)).toBe(false);
  expect(lines).toMatchObject([{ level: 'warn', days: 4000 }]);
  clock.jump(-4000 * dayMs);
  expect(guard.mayDelete(lastRunAt)).toBe(true);
  clock.jump(4000 * dayMs);
  expect(guard.mayDelete(lastRunAt)).toBe(false);
});

test('a clock that stays there for a day is believed, also one that was still more ahead before', () => {
  const { clock, guard, lastRunAt } = createGuard();
  clock.jump(4000 * dayMs);
  expect(guard.mayDelete(lastRunAt)).toBe(false);
  clock.jump(-1000 * dayMs);
  expect(guard.mayDelete(lastRunAt)).toBe(false);
  clock.sleep(dayMs);
  expect(guard.mayDelete(lastRunAt)).toBe(true);
});
