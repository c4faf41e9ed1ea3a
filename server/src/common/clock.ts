// Clock interface with a system implementation and a manual one for tests.
import type { Clock } from '../db/clock.ts';

export { type Clock, systemClock } from '../db/clock.ts';

interface Timer {
  at: number;
  every: number | undefined;
  work: () => void;
}

/** A clock that only moves when advanced explicitly. */
export class ManualClock implements Clock {
  private time: number;
  private timers: Timer[] = [];

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

  /** Number of timers that are set. */
  get timerCount(): number {
    return this.timers.length;
  }

  /** Moves the time forward and runs due timers in order. */
  advance(milliseconds: number): void {
    const end = this.time + milliseconds;
    while (true) {
      const due = this.first();
      if (!due || due.at > end) break;
      this.time = Math.max(this.time, due.at);
      if (due.every === undefined) this.timers = this.timers.filter((timer) => timer !== due);
      else due.at += due.every;
      due.work();
    }
    this.time = end;
  }

  /** Moves the time forward as after system sleep: timers due meanwhile run once, on the next `advance`. */
  sleep(milliseconds: number): void {
    this.time += milliseconds;
    for (const timer of this.timers) timer.at = Math.max(timer.at, this.time);
  }

  /**
   * Changes the time as a correction of the clock or a suspended machine does: the time that timers still have to
   * wait stays the same. Can be negative.
   */
  jump(milliseconds: number): void {
    this.time += milliseconds;
    for (const timer of this.timers) timer.at += milliseconds;
  }

  /** The next due timer; of those due at the same time, the one that was set first. A test may advance by days. */
  private first(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.timers) if (!first || timer.at < first.at) first = timer;
    return first;
  }

  private add(delay: number, every: number | undefined, work: () => void): () => void {
    const timer: Timer = { at: this.time + Math.max(delay, 0), every, work };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }
}

let lastFormatted = { milliseconds: Number.NaN, text: '' };

/** ISO 8601 UTC with milliseconds, as in the API. Many messages of a burst have the same time. */
export function isoTime(milliseconds: number): string {
  if (lastFormatted.milliseconds !== milliseconds)
    lastFormatted = { milliseconds, text: new Date(milliseconds).toISOString() };
  return lastFormatted.text;
}
