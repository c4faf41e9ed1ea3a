// An alarm for rows that wait in the store for their time, through restarts and with several replicas.
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { errorFacts, type Log } from '../log.ts';
import type { ChangeBus } from '../resource/change-bus.ts';

interface DelayedJobTimerDeps {
  database: Database;
  clock: Clock;
  log: Log;
  changes: ChangeBus;
}

interface Due {
  /** For the log. */
  what: string;
  /** A statement that gives the time of the first waiting row as `at`, null for none. */
  next: { name: string; text: string };
  /** Changes of these resources may move that time. */
  resources: readonly string[];
  /** Does what is due; true when more may be due at once. */
  work(): Promise<boolean>;
}

/** Sleeps no longer than this, in milliseconds: another server's clock may differ, and its rows are not always announced. */
const maxSleepMs = 60_000;
const afterFailure = 5000;

export class DelayedJobTimer {
  private readonly deps: DelayedJobTimerDeps;
  private readonly due: Due;
  private cancelTimer: (() => void) | undefined;
  private closed = false;
  private working: Promise<void> | undefined;
  private looking = false;
  private again = false;

  constructor(deps: DelayedJobTimerDeps, due: Due) {
    this.deps = deps;
    this.due = due;
    deps.changes.listen((list) => {
      if (list.some(({ resource, state }) => !state && due.resources.includes(resource))) this.plan();
    });
  }

  /** Sets the alarm for the first waiting row. */
  plan(): void {
    if (this.closed) return;
    if (this.looking || this.working) {
      this.again = true;
      return;
    }
    this.looking = true;
    this.again = false;
    this.deps.database
      .query<{ at: string | null }>(this.due.next)
      .then(({ rows }) => {
        const at = rows[0]?.at;
        const delay = at ? Math.max(Date.parse(at) - this.deps.clock.now(), 0) : maxSleepMs;
        if (delay === 0) this.start();
        else if (delay < maxSleepMs) this.wakeAfter(delay, () => this.start());
        else this.wakeAfter(maxSleepMs, () => this.plan());
      })
      .catch(() => this.wakeAfter(afterFailure, () => this.plan()))
      .finally(() => {
        this.looking = false;
        if (this.again) this.plan();
      });
  }

  /** Resolves when nothing is due. */
  async idle(): Promise<void> {
    while (this.looking || this.working) {
      await this.working;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
  }

  private wakeAfter(delay: number, work: () => void): void {
    this.cancelTimer?.();
    this.cancelTimer = this.closed ? undefined : this.deps.clock.after(delay, work);
  }

  private start(): void {
    if (this.working || this.closed) return;
    this.cancelTimer?.();
    this.working = this.run().finally(() => {
      this.working = undefined;
    });
    void this.working.then(() => {
      if (!this.closed && this.cancelTimer === undefined) this.plan();
    });
  }

  private async run(): Promise<void> {
    this.cancelTimer = undefined;
    try {
      while (!this.closed && (await this.due.work())) {
        // Until nothing more is due.
      }
    } catch (error) {
      const message = `${this.due.what} failed, will be tried again`;
      this.deps.log({ level: 'warn', message, ...errorFacts(error) });
      this.wakeAfter(afterFailure, () => this.plan());
    }
  }
}
