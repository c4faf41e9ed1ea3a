import { expect, test } from 'vitest';
import { streamLimits } from './frame.ts';
import { ReceiveCredit } from './receive-credit.ts';

const { credit } = streamLimits;
const step = credit / 4;

/** Credit that is given beyond the consumed bytes when each step of a window takes `stepMs`. */
function grown(steps: { count: number; stepMs: number }[]): number {
  let now = 0;
  const receiving = new ReceiveCredit(() => now);
  let extra = 0;
  for (const { count, stepMs } of steps)
    for (let at = 0; at < count; at++) {
      now += stepMs;
      extra += receiving.creditFor(step) - step;
    }
  return extra;
}

test('a slow sender gets back what was consumed', () => {
  expect(grown([{ count: 40, stepMs: 5 }])).toBe(0);
});

test('a fast sender gets more, up to three times the credit of the beginning', () => {
  expect(grown([{ count: 4, stepMs: 4 }])).toBe(credit);
  expect(grown([{ count: 100, stepMs: 1 }])).toBe(2 * credit);
});

test('a sender that becomes slow keeps only the credit of the beginning', () => {
  expect(
    grown([
      { count: 100, stepMs: 1 },
      { count: 40, stepMs: 20 },
    ]),
  ).toBe(0);
});
