// Callers that wait until messages are in the database, for a limited time.
import type { Clock } from '../../common/clock.ts';

interface Waiter {
  /** Position in the journal up to which messages must be stored. */
  sequence: number;
  resolve: (isInTime: boolean) => void;
}

export class StoredWaiters {
  private readonly clock: Clock;
  private readonly waiters = new Set<Waiter>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get isEmpty(): boolean {
    return this.waiters.size === 0;
  }

  /**
   * Resolves with true once the messages up to this position are stored or no longer waited for, with false after
   * `maxWaitMs`.
   */
  wait(sequence: number, maxWaitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isInTime: boolean) => {
        stopTimer();
        this.waiters.delete(waiter);
        resolve(isInTime);
      };
      const stopTimer = this.clock.after(maxWaitMs, () => end(false));
      const waiter: Waiter = { sequence, resolve: end };
      this.waiters.add(waiter);
    });
  }

  /** Ends the waits for messages that are stored. */
  resolveUpTo(storedSequence: number): void {
    for (const { sequence, resolve } of this.waiters) if (sequence <= storedSequence) resolve(true);
  }
}
