// Adapts the number of messages per write so that a write takes about as long as wanted.

const minItems = 25;
const maxItems = 1000;
/** Items by which writes grow; by half of their size while they take less than half of the time. */
const growthItems = 25;
/** Factor after a write that took longer than wanted, up to twice as long. */
const decrease = 0.8;

export class BatchSizer {
  private size = 100;
  private readonly targetMs: number;

  /** `targetMs` is how many milliseconds a write shall take at most. */
  constructor(targetMs: number) {
    this.targetMs = targetMs;
  }

  /** Messages of the next write. */
  get items(): number {
    return this.size;
  }

  /** Records the duration of a write in milliseconds. Smaller writes cost hardly more per message. */
  record(count: number, durationMs: number): void {
    const { targetMs } = this;
    if (durationMs > targetMs) {
      const factor = durationMs > targetMs * 2 ? 0.5 : decrease;
      this.size = Math.max(Math.floor(Math.min(this.size, count) * factor), minItems);
    } else if (count >= this.size && durationMs < targetMs * decrease) {
      const growth = durationMs < targetMs / 2 ? Math.max(growthItems, this.size >> 1) : growthItems;
      this.size = Math.min(this.size + growth, maxItems);
    }
  }
}
