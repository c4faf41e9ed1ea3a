// An alarm for rows that wait in the store for their time, through restarts and with several replicas.
import type { Clock } from '../../common/clock.ts';
import { errorFields, type Log } from '../../common/log.ts';
import type { Database } from '../../db/database.ts';
import type { ChangeBus } from '../../resource/change-bus.ts';

interface DelayedJobTimerDeps {
  database: Database;
  clock: Clock;
  log: Log;
  changes: ChangeBus;
}

interface DelayedJob {
  /** For the log. */
  label: string;
  /** A statement that gives the time of the first waiting row as `at`, null for none. */
  nextDueStatement: { name: string; text: string };
  /** Changes of these resources may move that time. */
  watchedResources: readonly string[];
  /** Does what is due; true when more may be due at once. */
  work(): Promise<boolean>;
}

/** Sleeps no longer than this, in milliseconds: another server's clock may differ, and its rows are not always announced. */
const maxSleepMs = 60_000;
const retryDelayMs = 5000;

export class DelayedJobTimer {
  private readonly deps: DelayedJobTimerDeps;
  private readonly job: DelayedJob;
  private cancelTimer: (() => void) | undefined;
  private closed = false;
  private currentRun: Promise<void> | undefined;
  private isQuerying = false;
  private isRescheduleRequested = false;

  constructor(deps: DelayedJobTimerDeps, job: DelayedJob) {
    this.deps = deps;
    this.job = job;
    deps.changes.listen((list) => {
      if (list.some(({ resource, state }) => !state && job.watchedResources.includes(resource)))
        this.schedule();
    });
  }

  /** Sets the alarm for the first waiting row. */
  schedule(): void {
    if (this.closed) return;
    if (this.isQuerying || this.currentRun) {
      this.isRescheduleRequested = true;
      return;
    }
    this.isQuerying = true;
    this.isRescheduleRequested = false;
    this.deps.database
      .query<{ at: string | null }>(this.job.nextDueStatement)
      .then(({ rows }) => {
        const at = rows[0]?.at;
        const delay = at ? Math.max(Date.parse(at) - this.deps.clock.now(), 0) : maxSleepMs;
        if (delay === 0) this.start();
        else if (delay < maxSleepMs) this.wakeAfter(delay, () => this.start());
        else this.wakeAfter(maxSleepMs, () => this.schedule());
      })
      .catch(() => this.wakeAfter(retryDelayMs, () => this.schedule()))
      .finally(() => {
        this.isQuerying = false;
        if (this.isRescheduleRequested) this.schedule();
      });
  }

  /** Resolves when nothing is due. */
  async idle(): Promise<void> {
    while (this.isQuerying || this.currentRun) {
      await this.currentRun;
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
    if (this.currentRun || this.closed) return;
    this.cancelTimer?.();
    this.currentRun = this.run().finally(() => {
      this.currentRun = undefined;
    });
    void this.currentRun.then(() => {
      if (!this.closed && this.cancelTimer === undefined) this.schedule();
    });
  }

  private async run(): Promise<void> {
    this.cancelTimer = undefined;
    try {
      while (!this.closed && (await this.job.work())) {
        // Until nothing more is due.
      }
    } catch (error) {
      const message = `${this.job.label} failed, will be tried again`;
      this.deps.log({ level: 'warn', message, ...errorFields(error) });
      this.wakeAfter(retryDelayMs, () => this.schedule());
    }
  }
}
