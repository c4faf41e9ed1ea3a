/** Work that runs once at a time, however often it is asked for. */
export interface CoalescedRunner {
  /** Runs it, or, while it runs, once more afterwards; resolves when a run that began after the call has ended. */
  run(): Promise<void>;
  /** Resolves when no run is under way or waiting. */
  idle(): Promise<void>;
}

/** Calls that come while the work runs share one further run, so that a slow store gathers no line of them. `work` must not throw. */
export function createCoalescedRunner(work: () => Promise<void>): CoalescedRunner {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    run() {
      if (!running) return begin();
      next ??= running.then(() => {
        next = undefined;
        return begin();
      });
      return next;
    },
    async idle() {
      while (running) await (next ?? running);
    },
  };
}
