import { expect, test } from 'vitest';
import { BatchSizer } from './batch-sizer.ts';

test('what takes much too long is halved at once, down to a bound', () => {
  const sizer = new BatchSizer(20);
  expect(sizer.items).toBe(100);
  sizer.record(100, 41);
  expect(sizer.items).toBe(50);
  for (let turn = 0; turn < 5; turn++) sizer.record(sizer.items, 500);
  expect(sizer.items).toBe(25);
});

test('what takes less time than wanted grows step by step, and by half while it takes less than half, up to a bound', () => {
  const sizer = new BatchSizer(20);
  sizer.record(100, 15);
  expect(sizer.items).toBe(125);
  sizer.record(125, 10);
  expect(sizer.items).toBe(150);
  sizer.record(150, 9);
  expect(sizer.items).toBe(225);
  for (let turn = 0; turn < 10; turn++) sizer.record(sizer.items, 1);
  expect(sizer.items).toBe(1000);
});

test('a small write grows by a step at least', () => {
  const sizer = new BatchSizer(20);
  sizer.record(1, 300);
  sizer.record(25, 1);
  expect(sizer.items).toBe(50);
});

test('what takes a little too long becomes a little smaller', () => {
  const sizer = new BatchSizer(20);
  sizer.record(100, 21);
  expect(sizer.items).toBe(80);
  sizer.record(80, 40);
  expect(sizer.items).toBe(64);
});

test('a write that takes nearly the wanted time changes nothing, nor does one that was not full', () => {
  const sizer = new BatchSizer(20);
  sizer.record(100, 16);
  sizer.record(100, 20);
  sizer.record(99, 1);
  expect(sizer.items).toBe(100);
});

test('one slow message makes the next write small, whatever was allowed', () => {
  const sizer = new BatchSizer(20);
  sizer.record(1, 300);
  expect(sizer.items).toBe(25);
});
