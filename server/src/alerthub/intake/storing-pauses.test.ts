import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoringPauses, type StoringPausesDeps } from './storing-pauses.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Pauses after a write, and milliseconds until the next one may begin. */
async function pause(
  deps: Partial<StoringPausesDeps> & { pauseMs?: number },
  during?: (pauses: StoringPauses) => void,
) {
  const pauses = new StoringPauses({
    pace: { pauseMsAfter: () => deps.pauseMs ?? 0 },
    receiverLoad: () => 0,
    waitedMs: () => 0,
    isAnswering: () => false,
    isUrgent: () => false,
    ...deps,
  });
  const begun = performance.now();
  let tookMs: number | undefined;
  const ended = pauses.after(10).then(() => {
    tookMs = performance.now() - begun;
  });
  await vi.advanceTimersByTimeAsync(5);
  during?.(pauses);
  await vi.advanceTimersByTimeAsync(5000);
  await ended;
  return tookMs!;
}

test('there is no pause while nobody needs one', async () => {
  expect(await pause({})).toBe(0);
});

test('calls that are being answered pass, for 20 ms at most', async () => {
  let isAnswering = true;
  expect(
    await pause({ isAnswering: () => isAnswering }, () => {
      isAnswering = false;
    }),
  ).toBe(6);
  expect(await pause({ isAnswering: () => true })).toBe(20);
});

test('a pause for receivers is followed by one for calls', async () => {
  expect(await pause({ pauseMs: 250, isAnswering: () => true })).toBe(270);
});

test('a write that becomes urgent begins at once', async () => {
  let isUrgent = false;
  const demand = (pauses: StoringPauses) => {
    isUrgent = true;
    pauses.interrupt();
  };
  expect(await pause({ pauseMs: 1000, isAnswering: () => true, isUrgent: () => isUrgent }, demand)).toBe(5);
});

test('the pace is told the load and how long the messages have waited', () => {
  const pauseMsAfter = vi.fn(() => 7);
  const pauses = new StoringPauses({
    pace: { pauseMsAfter },
    receiverLoad: () => 0.5,
    waitedMs: () => 300,
    isAnswering: () => false,
    isUrgent: () => false,
  });
  expect(pauses.msAfter(10)).toBe(7);
  expect(pauseMsAfter).toHaveBeenCalledWith(10, { waitedMs: 300, receiverLoad: 0.5 });
});
