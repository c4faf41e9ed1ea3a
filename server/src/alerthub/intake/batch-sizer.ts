// Adapts the number of messages per write so that a write takes about 20 ms and readers do not wait long.

const targetMs = 20;
const minItems = 25;
const maxItems = 200;
const growthItems = 25;

export class BatchSizer {
  private size = 100;

  /** Messages of the next write. */
  get items(): number {
    return this.size;
  }

  /** Records the duration of a write in milliseconds. Smaller writes cost hardly more per message. */
  record(count: number, durationMs: number): void {
    if (durationMs > targetMs) this.size = Math.max(Math.min(this.size, count) >> 1, minItems);
    else if (count >= this.size && durationMs < targetMs / 2)
      this.size = Math.min(this.size + growthItems, maxItems);
  }
}
