import { describe, expect, test } from 'vitest';
import { addUse, judgeCounter, type PasskeyCounter } from './passkey-counter.ts';

/** Stores sign-ins with these counters, one each second from 1000 on, with the challenges `used 0`, `used 1` and so on. */
function storedAfter(counters: number[], start = 100): PasskeyCounter {
  return counters.reduce<PasskeyCounter>(
    (stored, counter, index) =>
      addUse(stored, { challenge: `used ${index}`, counter }, 1_000 + index * 1_000),
    { counter: start, recentUses: [] },
  );
}

const judge = (
  stored: PasskeyCounter,
  counter: number,
  { issuedAt = 60_000, challenge = 'new', synced = false } = {},
) => judgeCounter(stored, { challenge, counter, issuedAt }, { synced });

describe('a challenge issued after all stored sign-ins', () => {
  test.each([
    [103, 'accepted'],
    [102, 'copied'],
    [101, 'copied'],
    [0, 'copied'],
  ])('with the counter %i after 102 is %s', (counter, verdict) => {
    expect(judge(storedAfter([101, 102]), counter)).toBe(verdict);
  });

  test('may come without a counter if it never had one, and with a first one', () => {
    const uncounted = storedAfter([0, 0], 0);
    expect(judge(uncounted, 0)).toBe('accepted');
    expect(judge(uncounted, 1)).toBe('accepted');
  });
});

describe('a challenge issued before a stored sign-in', () => {
  test.each([
    // The highest counter at that time was 101.
    [1_500, 102, 'accepted'],
    [1_500, 101, 'copied'],
    [1_500, 103, 'copied'],
    [1_500, 99, 'copied'],
    // All are later: it was 100.
    [500, 101, 'copied'],
    [500, 102, 'accepted'],
    [500, 100, 'copied'],
    // A sign-in stored in the same millisecond counts as earlier.
    [2_000, 102, 'copied'],
  ])('at %i, with the counter %i, is %s after 101 and 103', (issuedAt, counter, verdict) => {
    expect(judge(storedAfter([101, 103]), counter, { issuedAt })).toBe(verdict);
  });

  test('does not lower the highest counter, and is compared itself by those after it', () => {
    const stored = storedAfter([103, 102, 101]);
    expect(stored.counter).toBe(103);
    expect(judge(stored, 103)).toBe('copied');
    expect(judge(stored, 102, { issuedAt: 500 })).toBe('copied');
  });

  test('older than what is kept must exceed the counter before that', () => {
    const stored = storedAfter(Array.from({ length: 30 }, (_, index) => 101 + 2 * index));
    expect(stored.recentUses).toHaveLength(10);
    expect(judge(stored, 102, { issuedAt: 0 })).toBe('copied');
    expect(judge(stored, 142, { issuedAt: 0 })).toBe('accepted');
  });
});

test.each([0, 105])('a challenge that was used is repeated, not copied: counter %i', (counter) => {
  expect(judge(storedAfter([counter], 0), counter, { challenge: 'used 0' })).toBe('repeated');
  expect(judge(storedAfter([counter], 0), counter, { challenge: 'used 0', synced: true })).toBe('repeated');
});

test('a synced passkey may count in each device', () => {
  expect(judge(storedAfter([101, 102]), 7, { synced: true })).toBe('accepted');
  expect(storedAfter([101, 7]).counter).toBe(101);
});
