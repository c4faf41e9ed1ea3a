import { expect, test } from 'vitest';
import { ManualClock } from './clock.ts';
import { createIdSource } from './id.ts';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ids are UUIDs of version 7 that carry the time', () => {
  const clock = new ManualClock(Date.parse('2026-01-02T03:04:05.678Z'));
  const id = createIdSource(clock)();
  expect(id).toMatch(form);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(clock.now());
});

test.each([
  ['stands still', () => 0],
  ['runs', (at: number) => (at % 7 === 0 ? 1 : 0)],
  ['jumps back', (at: number) => (at === 5000 ? -60_000 : 0)],
])('order of ids is order of creation while the clock %s', (_name, step) => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const next = createIdSource({ ...new ManualClock(), now: () => now } as unknown as ManualClock);
  const ids = Array.from({ length: 10_000 }, (_, at) => {
    now += step(at);
    return next();
  });
  expect(ids.every((id) => form.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

test('two sources never meet', () => {
  const clock = new ManualClock();
  const sources = [createIdSource(clock), createIdSource(clock)];
  const ids = sources.flatMap((next) => Array.from({ length: 2000 }, () => next()));
  expect(new Set(ids).size).toBe(4000);
});
