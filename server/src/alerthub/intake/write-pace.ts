// How many messages a write stores, and how long storing pauses after it, so that receivers and readers get their turn.
import { ProcessorIdle } from '../../common/machine/processor-idle.ts';
import { BatchSizer } from './batch-sizer.ts';
import { storePauseMs } from './store-pause.ts';

/** Maximum milliseconds of a write while others read, and while nobody does: larger writes cost less per message. */
const targetMs = { shared: 20, alone: 100 };
/** Milliseconds after the last call for which others are expected to read. */
const callWindowMs = 2000;
/**
 * Milliseconds within which a call is expected to be answered; those that take longer are streams, or have waited for
 * something else.
 */
const answerWindowMs = 100;

/** Real time, because it is the actual machine that is to be relieved. */
export class WritePace {
  private readonly now: () => number;
  private readonly shared = new BatchSizer(targetMs.shared);
  private readonly alone = new BatchSizer(targetMs.alone);
  private readonly processorIdle = new ProcessorIdle();
  private lastCallAt = Number.NEGATIVE_INFINITY;
  /** When each unanswered call arrived, in this order. */
  private readonly unanswered = new Map<object, number>();

  /** `now` returns milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** To be called for each call of the API or the console, with an object that identifies it. */
  noteCall(call: object): void {
    this.forgetLongCalls();
    this.lastCallAt = this.now();
    this.unanswered.set(call, this.lastCallAt);
  }

  /** Not called for each: clients disconnect. */
  noteAnswer(call: object): void {
    this.unanswered.delete(call);
  }

  /** Whether a recent call is not answered yet. */
  get isAnswering(): boolean {
    this.forgetLongCalls();
    return this.unanswered.size > 0;
  }

  /** Maximum messages of the next write. */
  get items(): number {
    return this.sizer.items;
  }

  /** Records the duration of a write in milliseconds. */
  record(count: number, durationMs: number): void {
    this.sizer.record(count, durationMs);
  }

  /** Milliseconds until the next write after one of `tookMs`. */
  pauseMsAfter(
    tookMs: number,
    { waitedMs, receiverLoad }: { waitedMs: number; receiverLoad: number },
  ): number {
    const idleProcessors = this.processorIdle.idleProcessors();
    return storePauseMs({ tookMs, waitedMs, receiverLoad, idleProcessors, isShared: this.isShared });
  }

  private forgetLongCalls(): void {
    const since = this.now() - answerWindowMs;
    for (const [call, arrivedAt] of this.unanswered) {
      if (arrivedAt > since) return;
      this.unanswered.delete(call);
    }
  }

  private get isShared(): boolean {
    return this.now() - this.lastCallAt < callWindowMs;
  }

  private get sizer(): BatchSizer {
    return this.isShared ? this.shared : this.alone;
  }
}
