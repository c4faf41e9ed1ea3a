// Pauses between two writes: for the receivers of a message storm, and for calls that are being answered.
import { systemClock } from '../../common/clock.ts';
import { InterruptibleSleep } from '../../common/time/interruptible-sleep.ts';
import type { WritePace } from './write-pace.ts';

/** Milliseconds after which it is checked whether a pause is still needed. */
const checkMs = 100;
/** Maximum milliseconds for which a write waits for calls to be answered, and between two looks at them. */
const answers = { maxWaitMs: 20, checkMs: 1 };

export interface StoringPausesDeps {
  pace: Pick<WritePace, 'pauseMsAfter'>;
  /** Fraction of time (0 to 1) during which the receivers were busy. */
  receiverLoad(): number;
  /** Milliseconds since the last stored message was received. */
  waitedMs(): number;
  /** Whether calls are being answered that a write would keep from the database. */
  isAnswering(): boolean;
  /** Whether the next write must not wait: somebody waits for a message, or the server is stopping. */
  isUrgent(): boolean;
}

/** Real time, because it is the actual machine that is to be relieved. */
export class StoringPauses {
  private readonly deps: StoringPausesDeps;
  private readonly sleep = new InterruptibleSleep();

  constructor(deps: StoringPausesDeps) {
    this.deps = deps;
  }

  /** Milliseconds to pause after a write that took so long. */
  msAfter(tookMs: number): number {
    const { pace, receiverLoad, waitedMs } = this.deps;
    return pace.pauseMsAfter(tookMs, { waitedMs: waitedMs(), receiverLoad: receiverLoad() });
  }

  /** Ends early when a write becomes urgent, or when the receivers have nothing more to do. */
  async after(tookMs: number): Promise<void> {
    await this.while((passedMs) => Math.min(this.msAfter(tookMs) - passedMs, checkMs));
    // Each of the statements of a call would otherwise wait for a write.
    await this.while((passedMs) =>
      this.deps.isAnswering() && passedMs < answers.maxWaitMs ? answers.checkMs : 0,
    );
  }

  interrupt(): void {
    this.sleep.interrupt();
  }

  /** Sleeps for the milliseconds that `next` returns, given those that have passed, until it returns none. */
  private async while(next: (passedMs: number) => number): Promise<void> {
    const begun = performance.now();
    while (!this.deps.isUrgent()) {
      const ms = next(performance.now() - begun);
      if (ms <= 0) return;
      await this.sleep.sleep(ms, systemClock);
    }
  }
}
