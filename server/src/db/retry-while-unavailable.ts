// Repeats work whose result must not be lost because the database is away for a while.
import type { Clock } from './clock.ts';
import { StoreUnavailable } from './store-unavailable.ts';

/** Milliseconds between two attempts. */
const defaultDelayMs = 1_000;

/**
 * Repeats `work` until the database is available. Other errors are thrown at once, and those of the database when
 * `signal` has aborted. `onUnavailable` is called at the first failure.
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  options: { clock: Clock; delayMs?: number; signal: AbortSignal; onUnavailable?(error: Error): void },
): Promise<T> {
  const { clock, delayMs = defaultDelayMs, signal, onUnavailable } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || signal.aborted) throw error;
      if (attempt === 1) onUnavailable?.(error);
      await delay(clock, delayMs, signal);
    }
  }
}

/** Ends early when `signal` aborts. */
function delay(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal.addEventListener('abort', end);
  });
}
