import { beforeEach, expect, test } from 'vitest';
import { FairLimiter } from './fair-limiter.ts';

let limiter: FairLimiter;
let begun: string[];
let ends: (() => void)[];
let endsAtOnce: boolean;
beforeEach(() => {
  limiter = new FairLimiter({ maxRunning: 2, max: 100 });
  begun = [];
  ends = [];
  endsAtOnce = false;
});

const run = (space: string, signal?: AbortSignal) =>
  limiter.run(
    space,
    async () => {
      begun.push(space);
      if (!endsAtOnce) await new Promise<void>((resolve) => ends.push(resolve));
    },
    signal,
  );
function endAll(): void {
  endsAtOnce = true;
  for (const end of ends) end();
}

test('work of one space does not keep that of another waiting, or out', async () => {
  const busy = Array.from({ length: 75 }, () => run('busy'));
  expect(limiter.hasPlace('busy')).toBe(false);
  expect(limiter.hasPlace('quiet')).toBe(true);
  const quiet = run('quiet');
  expect(begun).toEqual(['busy', 'busy']);
  endAll();
  await Promise.all([...busy, quiet]);
  // Each of the two that ended was followed by one, of either space.
  expect(begun.indexOf('quiet')).toBeLessThan(4);
  expect(begun).toHaveLength(76);
  expect(limiter.hasPlace('busy')).toBe(true);
});

test('work whose time ends while it waits is not run, and leaves its place', async () => {
  const controller = new AbortController();
  const others = [run('a'), run('a')];
  const waiting = run('b', controller.signal);
  const reason = new Error('late');
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  const next = run('c');
  endAll();
  await Promise.all([...others, next]);
  expect(begun).toEqual(['a', 'a', 'c']);
});
