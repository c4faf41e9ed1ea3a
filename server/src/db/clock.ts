/** Time as the storage engine sees it, so that tests own it. */

/** The current time in milliseconds since 1970, and timers. */
export interface Clock {
  now(): number;
  /** Runs `work` once after that many milliseconds; the result cancels it. */
  after(milliseconds: number, work: () => void): () => void;
  /** Runs `work` again and again, that many milliseconds apart, without keeping the process alive; the result cancels it. */
  every(milliseconds: number, work: () => void): () => void;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  every(milliseconds, work) {
    const timer = setInterval(work, milliseconds).unref();
    return () => clearInterval(timer);
  },
};
