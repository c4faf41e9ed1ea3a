// Work that is done on a beat and whenever somebody asks, never twice at the same time.
import type { Clock } from '../clock.ts';
import { errorFacts, type Log } from '../log.ts';
import { oneAtATime } from './one-at-a-time.ts';

export interface PeriodicJobOptions {
  clock: Clock;
  log: Log;
  /** Milliseconds. */
  intervalMs: number;
  /** Logged with the reason when a round fails; the next one tries again. */
  failure: string;
  work(): Promise<void>;
}

export class PeriodicJob {
  private readonly deps: PeriodicJobOptions;
  private readonly runs = oneAtATime(() => this.round());
  private stop: (() => void) | undefined;
  private ended = false;

  constructor(deps: PeriodicJobOptions) {
    this.deps = deps;
  }

  /** True once `close` was called; a long round looks at it between its steps. */
  get closed(): boolean {
    return this.ended;
  }

  start(): void {
    this.stop = this.deps.clock.every(this.deps.intervalMs, () => void this.look());
  }

  /** Resolves when a round that began after the call has ended; at once when closed. */
  look(): Promise<void> {
    return this.ended ? Promise.resolve() : this.runs.run();
  }

  /** Resolves when no round is under way or asked for. */
  idle(): Promise<void> {
    return this.runs.idle();
  }

  /** Resolves when the round under way has ended. */
  async close(): Promise<void> {
    this.ended = true;
    this.stop?.();
    await this.idle();
  }

  private async round(): Promise<void> {
    if (this.ended) return;
    try {
      await this.deps.work();
    } catch (error) {
      this.deps.log({ level: 'warn', message: this.deps.failure, ...errorFacts(error) });
    }
  }
}
