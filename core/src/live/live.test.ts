import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { debounce } from './debounce.ts';
import type { Timers } from './timers.ts';
import { createToastQueue } from './toast-queue.ts';

/** A fake clock that only advances on demand. */
function ownClock() {
  let now = 0;
  const due = new Map<object, { at: number; callback: () => void }>();
  const timers: Timers = {
    set(callback, ms) {
      const handle = {};
      due.set(handle, { at: now + ms, callback });
      return handle;
    },
    clear: (handle) => void due.delete(handle as object),
  };
  async function pass(ms: number) {
    for (let i = 0; i < 5; i += 1) await Promise.resolve();
    const end = now + ms;
    while (true) {
      const first = [...due].filter(([, t]) => t.at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!first) break;
      due.delete(first[0]);
      now = first[1].at;
      first[1].callback();
      for (let i = 0; i < 5; i += 1) await Promise.resolve();
    }
    now = end;
    for (let i = 0; i < 5; i += 1) await Promise.resolve();
  }
  return { timers, pass, waiting: () => due.size };
}

describe('debounce', () => {
  it('acts once with the last arguments', async () => {
    const clock = ownClock();
    const acts: string[] = [];
    const type = debounce((text: string) => acts.push(text), clock.timers);
    type('a');
    await clock.pass(499);
    type('ab');
    await clock.pass(499);
    expect(acts).toEqual([]);
    await clock.pass(1);
    expect(acts).toEqual(['ab']);
    type('abc');
    type.cancel();
    await clock.pass(1000);
    expect([acts, clock.waiting()]).toEqual([['ab'], 0]);
  });
});

describe('toasts', () => {
  it('vanish after 3 seconds, hold while pointed at or focused, and start again', async () => {
    const clock = ownClock();
    const queue = createToastQueue({ timers: clock.timers });
    const id = queue.add('info', 'hello')!;
    await clock.pass(2999);
    queue.hold(id);
    queue.hold(id);
    await clock.pass(9000);
    queue.release(id);
    await clock.pass(9000);
    expect(queue.shown()).toHaveLength(1);
    queue.release(id);
    await clock.pass(2999);
    expect(queue.shown()).toHaveLength(1);
    await clock.pass(1);
    expect([queue.shown().length, clock.waiting()]).toEqual([0, 0]);
    expect(queue.add('error', '')).toBeNull();
  });
  it('number themselves modulo 100, show five, and leave no timer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 250 }), async (count) => {
        const clock = ownClock();
        const queue = createToastQueue({ timers: clock.timers });
        const ids = Array.from({ length: count }, () => queue.add('info', 'x'));
        expect(ids).toEqual(ids.map((_, index) => index % 100));
        expect(queue.shown().map(({ id }) => id)).toEqual(ids.slice(-5));
        expect(clock.waiting()).toBe(Math.min(5, count));
        await clock.pass(3000);
        expect([queue.shown().length, clock.waiting()]).toEqual([0, 0]);
      }),
      { numRuns: 20 },
    );
  });
});
