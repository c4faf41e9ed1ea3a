import { describe, expect, test } from 'vitest';
import { AnswerTime } from './answer-time.ts';

const make = () => new AnswerTime({ timeoutMs: 1000, maxTimeoutMs: 5000 });

describe('the wait for an answer', () => {
  test('doubles with each attempt, up to its limit', () => {
    const time = make();
    expect([0, 1, 2, 3, 4].map((attempt) => time.timeoutMs(attempt))).toEqual([1000, 2000, 4000, 5000, 5000]);
  });

  test('is never shorter than its minimum, however fast the device is', () => {
    const time = make();
    for (let count = 0; count < 20; count++) time.answered(2, 0);
    expect(time.timeoutMs(0)).toBe(1000);
  });

  test('follows a device that becomes slower, and one that becomes faster again', () => {
    const time = make();
    time.answered(800, 0);
    expect(time.timeoutMs(0)).toBe(2400);
    for (let count = 0; count < 50; count++) time.answered(1500, 0);
    expect(time.timeoutMs(0)).toBeGreaterThan(1500);
    expect(time.timeoutMs(0)).toBeLessThan(1600);
    for (let count = 0; count < 50; count++) time.answered(10, 0);
    expect(time.timeoutMs(0)).toBe(1000);
  });

  test('stays as long as the attempt that was answered, until a first attempt is', () => {
    const time = make();
    time.answered(3, 2);
    expect(time.timeoutMs(0)).toBe(4000);
    time.answered(3, 1);
    expect(time.timeoutMs(0)).toBe(5000);
    time.answered(100, 0);
    expect(time.timeoutMs(0)).toBe(1000);
  });
});
