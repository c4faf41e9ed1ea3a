/** Test clock: time passes only when the test advances it. */
import type { Clock } from '../../src/db/clock.ts';

/** A stopped clock that can be advanced. */
export interface TestClock extends Clock {
  /** Advances by that many milliseconds, running due timers in order and settling promises in between. */
  advance(milliseconds: number): Promise<void>;
}

interface Timer {
  due: number;
  work: () => void;
  again?: number;
}

/** Creates a clock stopped at `start`, in milliseconds since 1970. */
export function createTestClock(start = Date.parse('2026-01-02T03:04:05.678Z')): TestClock {
  let now = start;
  const timers = new Set<Timer>();
  const add = (timer: Timer) => {
    timers.add(timer);
    return () => {
      timers.delete(timer);
    };
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    after: (milliseconds, work) => add({ due: now + milliseconds, work }),
    every: (milliseconds, work) => add({ due: now + milliseconds, work, again: milliseconds }),
    async advance(milliseconds) {
      const until = now + milliseconds;
      await settle();
      for (;;) {
        const next = [...timers].sort((left, right) => left.due - right.due)[0];
        if (!next || next.due > until) break;
        now = next.due;
        if (next.again === undefined) timers.delete(next);
        else next.due += next.again;
        next.work();
        await settle();
      }
      now = until;
      await settle();
    },
  };
}
