// Rows that this process leaves alone for a while, because they can be neither processed nor marked as failed.
import type { Clock } from '../common/clock.ts';
import { retryDelayAfter } from './poison-row-guard.ts';

export class PostponedRows {
  private readonly clock: Clock;
  private readonly rows = new Map<string, { attempts: number; until: number }>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Ids of the rows that are not tried yet again at that time. */
  ids(now = this.clock.now()): string[] {
    return [...this.rows].flatMap(([id, { until }]) => (until > now ? [id] : []));
  }

  /** Leaves a row alone, longer each time; returns how often this was done. */
  postpone(id: string): number {
    const attempts = (this.rows.get(id)?.attempts ?? 0) + 1;
    this.rows.set(id, { attempts, until: this.clock.now() + retryDelayAfter(attempts) });
    return attempts;
  }

  delete(id: string): void {
    this.rows.delete(id);
  }

  /** Forgets the rows that `ids` did not contain at that time, because they were processed since. */
  deleteExpired(now: number): void {
    for (const [id, { until }] of this.rows) if (until <= now) this.rows.delete(id);
  }
}
