import { expect, test } from 'vitest';
import { type StoreTiming, storePauseMs } from './store-pause.ts';

const pauseMs = (timing: Partial<StoreTiming>) =>
  storePauseMs({ tookMs: 20, waitedMs: 0, receiverLoad: 0.9, idleProcessors: 0, isShared: true, ...timing });

test('responses come first while the receivers are busy and at most one processor is idle', () => {
  expect(pauseMs({ idleProcessors: 1 })).toBe(380);
  expect(pauseMs({ receiverLoad: 0.5 })).toBe(380);
  expect(pauseMs({ receiverLoad: 0.49 })).toBe(0);
  expect(pauseMs({ tookMs: 900 })).toBe(2000);
});

test('storing uses further idle processors', () => {
  expect(pauseMs({ idleProcessors: 1.5 })).toBe(190);
  expect(pauseMs({ idleProcessors: 2 })).toBe(0);
  expect(pauseMs({ idleProcessors: 6 })).toBe(0);
});

test('storing does not pause for responses once messages have waited for half a minute', () => {
  expect(pauseMs({ waitedMs: 29_999 })).toBe(380);
  expect(pauseMs({ waitedMs: 30_000 })).toBe(0);
  expect(pauseMs({ waitedMs: 30_000, tookMs: 101 })).toBe(101);
});

test('a long write is followed by a pause as long, whatever is idle', () => {
  expect(pauseMs({ tookMs: 101, receiverLoad: 0, idleProcessors: 2 })).toBe(101);
  expect(pauseMs({ tookMs: 100, receiverLoad: 0, idleProcessors: 2 })).toBe(0);
  expect(pauseMs({ tookMs: 5000, receiverLoad: 0, idleProcessors: 2 })).toBe(2000);
});

test('a long write is followed by no pause while nobody reads, except for the receivers', () => {
  expect(pauseMs({ tookMs: 5000, receiverLoad: 0, isShared: false })).toBe(0);
  expect(pauseMs({ tookMs: 101, isShared: false })).toBe(1919);
});
