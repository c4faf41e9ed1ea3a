// Work that is done on a beat and whenever somebody asks, never twice at the same time.
import type { Clock } from '../common/clock.ts';
import { errorFields, type Log } from '../common/log.ts';
import { createCoalescedRunner } from './coalesced-runner.ts';

export interface PeriodicJobOptions {
  clock: Clock;
  log: Log;
  /** Milliseconds. */
  intervalMs: number;
  /** Logged with the reason when a round fails; the next one tries again. */
  failureMessage: string;
  work(): Promise<void>;
}

export class PeriodicJob {
  private readonly options: PeriodicJobOptions;
  private readonly runner = createCoalescedRunner(() => this.runOnce());
  private stop: (() => void) | undefined;
  private isClosed = false;

  constructor(options: PeriodicJobOptions) {
    this.options = options;
  }

  /** True once `close` was called; a long round looks at it between its steps. */
  get closed(): boolean {
    return this.isClosed;
  }

  start(): void {
    this.stop = this.options.clock.every(this.options.intervalMs, () => void this.runNow());
  }

  /** Resolves when a round that began after the call has ended; at once when closed. */
  runNow(): Promise<void> {
    return this.isClosed ? Promise.resolve() : this.runner.run();
  }

  /** Resolves when no round is under way or asked for. */
  idle(): Promise<void> {
    return this.runner.idle();
  }

  /** Resolves when the round under way has ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.stop?.();
    await this.idle();
  }

  private async runOnce(): Promise<void> {
    if (this.isClosed) return;
    try {
      await this.options.work();
    } catch (error) {
      this.options.log({ level: 'warn', message: this.options.failureMessage, ...errorFields(error) });
    }
  }
}
