// Waits until somebody has stopped typing (spec section 9).
import { clockTimers, type Timers } from './timers.ts';

export const debounceDelay = 500;

export interface Debounced<A extends unknown[]> {
  (...args: A): void;
  /** Forgets the waiting call. */
  cancel(): void;
  /** Makes the waiting call now, if there is one. */
  flush(): void;
}

/** Calls `act` with the last arguments once no call came for `delay` milliseconds (500). */
export function debounce<A extends unknown[]>(
  act: (...args: A) => void,
  { delay = debounceDelay, timers = clockTimers }: { delay?: number; timers?: Timers } = {},
): Debounced<A> {
  let waiting: { args: A; timer: unknown } | undefined;

  function cancel(): void {
    if (waiting) timers.clear(waiting.timer);
    waiting = undefined;
  }
  function flush(): void {
    const call = waiting;
    cancel();
    if (call) act(...call.args);
  }
  return Object.assign(
    (...args: A) => {
      cancel();
      waiting = { args, timer: timers.set(flush, delay) };
    },
    { cancel, flush },
  );
}
