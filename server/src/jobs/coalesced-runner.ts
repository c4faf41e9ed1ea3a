/** Coalesces calls so that work never runs concurrently with itself. */
export interface CoalescedRunner {
  /**
   * Runs the work, or once more if it is running; resolves when a run that began after the call has ended.
   */
  run(): Promise<void>;
  /** Resolves when no run is in progress or pending. */
  idle(): Promise<void>;
}

/**
 * Calls during a run share one further run, so that none pile up when the database is slow. `work` must not
 * throw.
 */
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
