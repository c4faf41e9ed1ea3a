import { expect, test } from 'vitest';
import { storePauseMs } from './store-pause.ts';

test('responses come first while the receivers are busy and no processor is idle', () => {
  expect(storePauseMs({ tookMs: 20, receiverLoad: 0.5, idle: 0 })).toBe(80);
  expect(storePauseMs({ tookMs: 20, receiverLoad: 0.49, idle: 0 })).toBe(0);
  expect(storePauseMs({ tookMs: 900, receiverLoad: 1, idle: 0 })).toBe(2000);
});

test('storing uses the processor time that is left', () => {
  expect(storePauseMs({ tookMs: 20, receiverLoad: 0.9, idle: 0.125 })).toBe(40);
  expect(storePauseMs({ tookMs: 20, receiverLoad: 0.9, idle: 0.25 })).toBe(0);
  expect(storePauseMs({ tookMs: 20, receiverLoad: 0.9, idle: 0.9 })).toBe(0);
});

test('a long write is followed by a pause as long, whatever is idle', () => {
  expect(storePauseMs({ tookMs: 101, receiverLoad: 0, idle: 1 })).toBe(101);
  expect(storePauseMs({ tookMs: 100, receiverLoad: 0, idle: 1 })).toBe(0);
  expect(storePauseMs({ tookMs: 5000, receiverLoad: 0, idle: 1 })).toBe(2000);
});
