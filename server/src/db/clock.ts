/** Clock of the storage layer; injectable for tests. */

/** The current time in milliseconds since the Unix epoch, and timers. */
export interface Clock {
  now(): number;
  /** Runs `work` once after that many milliseconds; returns a function that cancels it. */
  after(milliseconds: number, work: () => void): () => void;
  /**
   * Runs `work` at that interval in milliseconds without keeping the process alive; returns a function that
   * cancels it.
   */
  every(milliseconds: number, work: () => void): () => void;
}

/** Longest delay of `setTimeout`, 24.8 days; it would run a longer one at once. */
const maxTimeoutMs = 2_147_483_647;

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, work) {
    let timer: NodeJS.Timeout;
    const wait = (left: number) => {
      timer =
        left > maxTimeoutMs
          ? setTimeout(() => wait(left - maxTimeoutMs), maxTimeoutMs)
          : setTimeout(work, left);
    };
    wait(milliseconds);
    return () => clearTimeout(timer);
  },
  every(milliseconds, work) {
    const timer = setInterval(work, milliseconds).unref();
    return () => clearInterval(timer);
  },
};
