// Callers that wait until messages are in the database, for a limited time.
import type { Clock } from '../../common/clock.ts';

interface Waiter {
  /** Position in the journal up to which messages must be stored. */
  sequence: number;
  resolve: () => void;
}

export class StoredWaiters {
  private readonly clock: Clock;
  private readonly maxWaitMs: number;
  private readonly waiters = new Set<Waiter>();

  constructor(clock: Clock, maxWaitMs: number) {
    this.clock = clock;
    this.maxWaitMs = maxWaitMs;
  }

  get isEmpty(): boolean {
    return this.waiters.size === 0;
  }

  /** Resolves once the messages up to this position are stored, or the time is over. */
  wait(sequence: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        stopTimer();
        this.waiters.delete(waiter);
        resolve();
      };
      const stopTimer = this.clock.after(this.maxWaitMs, end);
      const waiter: Waiter = { sequence, resolve: end };
      this.waiters.add(waiter);
    });
  }

  /** Ends the waits for messages that are stored. */
  resolveUpTo(storedSequence: number): void {
    for (const { sequence, resolve } of this.waiters) if (sequence <= storedSequence) resolve();
  }
}
