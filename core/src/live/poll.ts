// Asks again and again while somebody looks (spec section 9): every 10 seconds, never twice at once, not while hidden.
import { clockTimers, type Timers } from './timers.ts';

export const pollingInterval = 10_000;

export interface PollOptions {
  /** Milliseconds between the end of one run and the start of the next; 10,000 when absent. */
  interval?: number;
  timers?: Timers;
  /** Starts in the background: nothing runs until `show`. */
  hidden?: boolean;
  /** Told of failed runs; polling goes on. */
  onError?: (error: unknown) => void;
}

export interface Polling {
  /** Pauses; a run that has begun ends by itself. */
  hide(): void;
  /** Goes on, at once unless a run is still going. */
  show(): void;
  /** Ends for good and aborts the run that is going. */
  stop(): void;
}

/** Runs `work` now and after every interval until stopped. */
export function poll(work: (signal: AbortSignal) => Promise<unknown>, options: PollOptions = {}): Polling {
  const { interval = pollingInterval, timers = clockTimers, onError } = options;
  const controller = new AbortController();
  let hidden = options.hidden ?? false;
  let running = false;
  let timer: unknown;

  function unschedule(): void {
    if (timer !== undefined) timers.clear(timer);
    timer = undefined;
  }

  async function run(): Promise<void> {
    unschedule();
    running = true;
    try {
      await work(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) onError?.(error);
    } finally {
      running = false;
      if (!hidden && !controller.signal.aborted) timer = timers.set(() => void run(), interval);
    }
  }

  if (!hidden) void run();
  return {
    hide() {
      hidden = true;
      unschedule();
    },
    show() {
      if (!hidden || controller.signal.aborted) return;
      hidden = false;
      if (!running) void run();
    },
    stop() {
      unschedule();
      controller.abort();
    },
  };
}
