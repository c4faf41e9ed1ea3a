import { describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from './clock.ts';

describe('ManualClock', () => {
  test('stands still until it is moved', () => {
    const clock = new ManualClock(1000);
    expect(clock.now()).toBe(1000);
    clock.advance(0);
    clock.advance(250);
    expect(clock.now()).toBe(1250);
  });

  test('runs what falls due in order, each at its own time, and those of one time as they were set', () => {
    const clock = new ManualClock(0);
    const seen: string[] = [];
    const note = (name: string) => () => seen.push(`${name} ${clock.now()}`);
    clock.after(30, note('late'));
    clock.every(10, note('every'));
    clock.after(10, note('early'));
    clock.after(31, note('not yet'));
    clock.advance(30);
    expect(seen).toEqual(['every 10', 'early 10', 'every 20', 'late 30', 'every 30']);
    expect(clock.now()).toBe(30);
  });

  test.each([
    ['cancelled before', (stop: () => void) => stop(), 0],
    ['left alone', () => undefined, 3],
  ])('a repeated timer that is %s', (_name, act, times) => {
    const clock = new ManualClock(0);
    let runs = 0;
    act(clock.every(5, () => runs++));
    clock.advance(15);
    expect(runs).toBe(times);
  });

  test('work may set and cancel timers', () => {
    const clock = new ManualClock(0);
    const seen: number[] = [];
    const stop = clock.every(10, () => {
      seen.push(clock.now());
      if (clock.now() === 20) stop();
      clock.after(1, () => seen.push(clock.now()));
    });
    clock.advance(100);
    expect(seen).toEqual([10, 11, 20, 21]);
  });

  test.each([-5, 0])('a wait of %i is due at once, at the next move', (wait) => {
    const clock = new ManualClock(0);
    let ran = false;
    clock.after(wait, () => {
      ran = true;
    });
    expect(ran).toBe(false);
    clock.advance(0);
    expect(ran).toBe(true);
  });
});

test.each([
  [0, '1970-01-01T00:00:00.000Z'],
  [Date.parse('2026-02-28T23:59:59.5+09:00'), '2026-02-28T14:59:59.500Z'],
])('%i is %s', (time, text) => {
  expect(isoTime(time)).toBe(text);
});
