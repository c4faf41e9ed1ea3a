import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ManualClock, systemClock } from '../clock.ts';
import { runAt } from './wall-clock-timer.ts';

const hour = 3_600_000;
const day = 24 * hour;

describe('runAt', () => {
  const start = (instant: number, maxWaitMs = 365 * day) => {
    const clock = new ManualClock(0);
    const runs: number[] = [];
    const cancel = runAt(clock, instant, maxWaitMs, () => runs.push(clock.now()));
    return { clock, runs, cancel };
  };

  test.each([0, 1, 4999, 5000, 5001, hour, 40 * day])('runs once, %i ms from now', (instant) => {
    const { clock, runs } = start(instant);
    clock.advance(instant - 1);
    expect(runs).toEqual([]);
    clock.advance(1);
    clock.advance(hour);
    expect(runs).toEqual([instant]);
  });

  test('runs within 5 s after the clock was set forward, or the machine resumed', () => {
    const { clock, runs } = start(2 * hour);
    clock.advance(1000);
    clock.jump(6 * hour);
    clock.advance(5000);
    expect(runs).toHaveLength(1);
  });

  test('does not run early after the clock was set back', () => {
    const { clock, runs } = start(hour);
    clock.advance(hour - 1000);
    clock.jump(-hour);
    clock.advance(hour);
    expect(runs).toEqual([]);
    clock.advance(1000);
    expect(runs).toEqual([hour]);
  });

  test('runs after the longest wait, however far the clock was set back', () => {
    const { clock, runs } = start(hour, 12_000);
    clock.advance(1000);
    clock.jump(-365 * day);
    clock.advance(10_999);
    expect(runs).toEqual([]);
    clock.advance(1);
    clock.advance(hour);
    expect(runs).toHaveLength(1);
  });

  test('does not run after it was canceled, also between two checks', () => {
    const { clock, runs, cancel } = start(hour);
    clock.advance(7000);
    cancel();
    clock.advance(2 * hour);
    expect(runs).toEqual([]);
  });
});

describe('systemClock', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('waits longer than a timer of the runtime can, and can be canceled in between', () => {
    let runs = 0;
    systemClock.after(60 * day, () => runs++);
    const cancel = systemClock.after(60 * day, () => (runs += 100));
    vi.advanceTimersByTime(30 * day);
    cancel();
    vi.advanceTimersByTime(30 * day - 1);
    expect(runs).toBe(0);
    vi.advanceTimersByTime(1);
    expect(runs).toBe(1);
  });
});
