// Debounces user input.
import { systemTimers, type Timers } from './timers.ts';

export const debounceDelayMs = 500;

export interface Debounced<A extends unknown[]> {
  (...args: A): void;
  /** Cancels the pending call. */
  cancel(): void;
}

/** Calls `act` with the last arguments after 500 milliseconds without a call. */
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
