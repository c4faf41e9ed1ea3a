// Time as a part that can be swapped: the machine's in production, a test's own in tests.
import type { Clock } from '../db/clock.ts';

export { type Clock, systemClock } from '../db/clock.ts';

interface Timer {
  at: number;
  order: number;
  every: number | undefined;
  work: () => void;
}

/** A clock that moves only when told to. */
export class ManualClock implements Clock {
  private time: number;
  private timers: Timer[] = [];
  private order = 0;

  constructor(start = Date.parse('2026-01-01T00:00:00.000Z')) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  after(milliseconds: number, work: () => void): () => void {
    return this.add(milliseconds, undefined, work);
  }

  every(milliseconds: number, work: () => void): () => void {
    return this.add(milliseconds, Math.max(milliseconds, 1), work);
  }

  /** Moves the time on, running what falls due on the way in order. */
  advance(milliseconds: number): void {
    const end = this.time + milliseconds;
    while (true) {
      const due = this.timers
        .filter((timer) => timer.at <= end)
        .sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!due) break;
      this.time = Math.max(this.time, due.at);
      if (due.every === undefined) this.timers = this.timers.filter((timer) => timer !== due);
      else due.at += due.every;
      due.work();
    }
    this.time = end;
  }

  /** Moves the time on as for a machine that slept: what fell due meanwhile runs once, with the next `advance`. */
  sleep(milliseconds: number): void {
    this.time += milliseconds;
    for (const timer of this.timers) timer.at = Math.max(timer.at, this.time);
  }

  private add(delay: number, every: number | undefined, work: () => void): () => void {
    const timer: Timer = { at: this.time + Math.max(delay, 0), order: this.order++, every, work };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }
}

/** ISO 8601 UTC with milliseconds, as on the wire. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
