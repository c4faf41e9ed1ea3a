// Timer for rows that become due at a stored time; works across restarts and with several replicas.

import type { Clock } from '../../common/clock.ts';
import { errorFields, type Log } from '../../common/log.ts';
import { runAt } from '../../common/time/wall-clock-timer.ts';
import type { Change, ChangeBus } from '../../db/change-bus.ts';
import type { Database } from '../../db/database.ts';

interface DelayedJobTimerDeps {
  database: Database;
  clock: Clock;
  log: Log;
  changes: ChangeBus;
}

interface DelayedJob {
  /** Name used in logs. */
  label: string;
  /** A statement that returns the due time of the first row as `at`, or null. */
  nextDueStatement: { name: string; text: string };
  /** Changes of these resources may change the due time. */
  watchedResources: readonly string[];
  /** Whether changes of their runtime state count, too. */
  watchesState?: boolean;
  /** Processes due rows; returns true when more may be due immediately. */
  work(): Promise<boolean>;
}

/**
 * Maximum sleep in milliseconds: clocks of other servers may differ, and their rows are not always announced.
 */
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
      const mayMove = ({ resource, state }: Change) =>
        (!state || job.watchesState) && job.watchedResources.includes(resource);
      if (list.some(mayMove)) this.schedule();
    });
  }

  /** Schedules the timer for the first due row. */
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
        const due = at ? Date.parse(at) : Number.POSITIVE_INFINITY;
        if (due <= this.deps.clock.now()) this.start();
        else this.wakeAt(due);
      })
      .catch(() => this.wakeAfter(retryDelayMs, () => this.schedule()))
      .finally(() => {
        this.isQuerying = false;
        if (this.isRescheduleRequested) this.schedule();
      });
  }

  /** Resolves when nothing is due. */
  async idle(): Promise<void> {
    while (this.isQuerying || this.currentRun) await new Promise((resolve) => setImmediate(resolve));
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
  }

  private wakeAt(due: number): void {
    this.cancelTimer?.();
    this.cancelTimer = this.closed
      ? undefined
      : runAt(this.deps.clock, due, maxSleepMs, () => this.schedule());
  }

  private wakeAfter(delay: number, work: () => void): void {
    this.cancelTimer?.();
    this.cancelTimer = this.closed ? undefined : this.deps.clock.after(delay, work);
  }

  private start(): void {
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
        // Loops until nothing is due.
      }
    } catch (error) {
      const message = `${this.job.label} failed, will be tried again`;
      this.deps.log({ level: 'warn', message, ...errorFields(error) });
      this.wakeAfter(retryDelayMs, () => this.schedule());
    }
  }
}
