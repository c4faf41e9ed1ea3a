// Waits until somebody has stopped typing (spec section 9).
import { systemTimers, type Timers } from './timers.ts';

export const debounceDelayMs = 500;

export interface Debounced<A extends unknown[]> {
  (...args: A): void;
  /** Forgets the waiting call. */
  cancel(): void;
}

/** Calls `act` with the last arguments once no call came for 500 milliseconds. */
export function debounce<A extends unknown[]>(
  act: (...args: A) => void,
  timers: Timers = systemTimers,
): Debounced<A> {
  let waiting: unknown;

  function cancel(): void {
    if (waiting !== undefined) timers.clear(waiting);
    waiting = undefined;
  }
  return Object.assign(
    (...args: A) => {
      cancel();
      waiting = timers.set(() => {
        waiting = undefined;
        act(...args);
      }, debounceDelayMs);
    },
    { cancel },
  );
}
