import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextAttemptAt } from './backoff.ts';

const firstAt = '2026-01-01T00:00:00.000Z';
const start = Date.parse(firstAt);
const almost = 0.999_999;

function waits(attempt: number, share: number, retryAfterSeconds?: number): number | null {
  const at = nextAttemptAt({ attempt, firstAt, now: start, retryAfterSeconds, random: () => share });
  return at === null ? null : (Date.parse(at) - start) / 1000;
}

test.each([
  [1, 5],
  [2, 10],
  [3, 20],
  [4, 40],
  [10, 2560],
  [11, 3600],
  [40, 3600],
  [5000, 3600],
])('after attempt %i the wait is drawn from 0 to %i s', (attempt, ceiling) => {
  expect(waits(attempt, 0)).toBe(0);
  expect(waits(attempt, 0.5)).toBe(ceiling / 2);
  expect(waits(attempt, almost)).toBeCloseTo(ceiling, 1);
});

test.each([
  [60, 0, 60],
  [60, 0.5, 63],
  [0, 0.5, 2.5],
  [-5, 0.5, 2.5],
  [1, almost, 5],
  [999_999, 0, 3600],
])('with Retry-After %i and the draw %d the wait is %d s', (asked, share, wait) => {
  expect(waits(1, share, asked)).toBeCloseTo(wait, 1);
});

test('ends 24 hours after the first attempt', () => {
  const day = 24 * 3600 * 1000;
  const at = (now: number, share: number) =>
    nextAttemptAt({ attempt: 30, firstAt, now, random: () => share });
  expect(at(start + day, 0)).toBe('2026-01-02T00:00:00.000Z');
  expect(at(start + day - 1_800_000, 0.5)).toBe('2026-01-02T00:00:00.000Z');
  expect(at(start + day - 1_800_000, 0.6)).toBeNull();
  expect(at(start + day + 1, 0)).toBeNull();
});

test('never earlier than asked for, never later than a day', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 0, max: 25 * 3600 }),
      fc.integer({ min: 0, max: 10_000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, gone, asked, share) => {
        const now = start + gone * 1000;
        const at = nextAttemptAt({ attempt, firstAt, now, retryAfterSeconds: asked, random: () => share });
        if (at === null) return;
        expect(Date.parse(at)).toBeGreaterThanOrEqual(now + Math.min(asked, 3600) * 1000);
        expect(Date.parse(at)).toBeLessThanOrEqual(start + 24 * 3600 * 1000);
      },
    ),
  );
});
