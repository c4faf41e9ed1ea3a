// Timer for an instant of the wall clock: it also holds when the clock is corrected or the machine slept.
import type { Clock } from '../clock.ts';

/** Milliseconds after which the clock is read again; the longest delay after a jump of the clock. */
const recheckMs = 5000;

/**
 * Runs `work` once when the clock reaches the instant (epoch milliseconds), and in any case after `maxWaitMs` of
 * elapsed time; returns a function that cancels it. A timer of the runtime counts elapsed time only, which
 * differs from the clock when that is corrected, and stands still while the machine is suspended.
 */
export function runAt(clock: Clock, instant: number, maxWaitMs: number, work: () => void): () => void {
  let cancel: () => void;
  let left = maxWaitMs;
  const wait = () => {
    const delay = Math.min(Math.max(instant - clock.now(), 0), recheckMs, left);
    cancel = clock.after(delay, () => {
      left -= delay;
      if (left <= 0 || clock.now() >= instant) work();
      else wait();
    });
  };
  wait();
  return () => cancel();
}
