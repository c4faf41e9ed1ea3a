import { expect, test } from 'vitest';
import { WritePace } from './write-pace.ts';

test('writes are short for two seconds after a call, and longer while nobody reads', () => {
  let now = 0;
  const pace = new WritePace(() => now);
  for (let turn = 0; turn < 4; turn++) pace.record(pace.items, 50);
  expect(pace.items).toBe(200);
  pace.noteCall({});
  expect(pace.items).toBe(100);
  pace.record(100, 50);
  expect(pace.items).toBe(50);
  now = 1999;
  expect(pace.items).toBe(50);
  now = 2000;
  expect(pace.items).toBe(200);
  pace.noteCall({});
  expect(pace.items).toBe(50);
});

test('a long write is followed by a pause for two seconds after a call', () => {
  let now = 0;
  const pace = new WritePace(() => now);
  const pauseMs = () => pace.pauseMsAfter(300, { waitedMs: 0, receiverLoad: 0 });
  expect(pauseMs()).toBe(0);
  pace.noteCall({});
  now = 1999;
  expect(pauseMs()).toBe(300);
  now = 2000;
  expect(pauseMs()).toBe(0);
});

test('a call is being answered until its answer is noted, for a tenth of a second at most', () => {
  let now = 0;
  const pace = new WritePace(() => now);
  const [stream, list] = [{}, {}];
  expect(pace.isAnswering).toBe(false);
  pace.noteCall(stream);
  now = 60;
  pace.noteCall(list);
  expect(pace.isAnswering).toBe(true);
  pace.noteAnswer(list);
  expect(pace.isAnswering).toBe(true);
  now = 100;
  expect(pace.isAnswering).toBe(false);
  pace.noteCall(list);
  expect(pace.isAnswering).toBe(true);
  pace.noteAnswer(list);
  pace.noteAnswer(stream);
  expect(pace.isAnswering).toBe(false);
});
