// Runs a job at a fixed interval or on demand; runs never overlap.
import type { Clock } from '../common/clock.ts';
import { FailureLog } from '../common/failure-log.ts';
import type { Log } from '../common/log.ts';
import { createCoalescedRunner } from './coalesced-runner.ts';

/** Milliseconds after which a job with a longer interval runs first: a server that restarts every hour does its work, too. */
const maxFirstRunMs = 300_000;

export interface PeriodicJobOptions {
  clock: Clock;
  log: Log;
  /** Milliseconds. */
  intervalMs: number;
  /** Logged with the error when a run fails, once for failures in a row; the next run retries. */
  failureMessage: string;
  work(): Promise<void>;
}

export class PeriodicJob {
  private readonly options: PeriodicJobOptions;
  private readonly failures: FailureLog;
  private readonly runner = createCoalescedRunner(() => this.runOnce());
  private stop: (() => void) | undefined;
  private isClosed = false;

  constructor(options: PeriodicJobOptions) {
    this.options = options;
    this.failures = new FailureLog(options);
  }

  /** True after `close`; a long run checks it between its steps. */
  get closed(): boolean {
    return this.isClosed;
  }

  start(): void {
    const { clock, intervalMs } = this.options;
    const run = () => void this.runNow();
    const stopInterval = clock.every(intervalMs, run);
    const cancelFirst = intervalMs > maxFirstRunMs ? clock.after(maxFirstRunMs, run) : undefined;
    this.stop = () => {
      stopInterval();
      cancelFirst?.();
    };
  }

  /** Resolves when a run that began after the call has ended; at once if closed. */
  runNow(): Promise<void> {
    return this.isClosed ? Promise.resolve() : this.runner.run();
  }

  /** Resolves when no run is in progress or pending. */
  idle(): Promise<void> {
    return this.runner.idle();
  }

  /** Resolves when the current run has ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.stop?.();
    await this.idle();
  }

  private async runOnce(): Promise<void> {
    if (this.isClosed) return;
    try {
      await this.options.work();
      this.failures.succeeded(this.options.failureMessage);
    } catch (error) {
      this.failures.failed({ level: 'warn', message: this.options.failureMessage }, error);
    }
  }
}
