// Group commit: what arrives while the last write runs goes into the next one, and all wait for the same commit.

interface Waiting<T, R> {
  item: T;
  size: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}

export interface BatchLimits {
  /** Items and bytes of one write. */
  items: number;
  bytes: number;
  /** Items and bytes that may wait; beyond, `add` throws `BatcherFull`. */
  waitingItems: number;
  waitingBytes: number;
}

export class BatcherFull extends Error {}

/** `write` gives one result for each item, in order; when it throws, every item of the batch fails with that error. */
export class Batcher<T, R> {
  private waiting: Waiting<T, R>[] = [];
  private waitingBytes = 0;
  private running: Promise<void> | undefined;
  private readonly write: (items: T[]) => Promise<R[]>;
  private readonly limits: BatchLimits;

  constructor(write: (items: T[]) => Promise<R[]>, limits: BatchLimits) {
    this.write = write;
    this.limits = limits;
  }

  add(item: T, size = 0): Promise<R> {
    if (
      this.waiting.length >= this.limits.waitingItems ||
      this.waitingBytes + size > this.limits.waitingBytes
    ) {
      return Promise.reject(new BatcherFull('too much is waiting to be written'));
    }
    return new Promise<R>((resolve, reject) => {
      this.waiting.push({ item, size, resolve, reject });
      this.waitingBytes += size;
      this.running ??= this.run();
    });
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    // One turn of the event loop gathers what has already arrived on other sockets.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const batch = this.take();
      try {
        const results = await this.write(batch.map((entry) => entry.item));
        for (const [index, entry] of batch.entries()) entry.resolve(results[index]!);
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
    }
    this.running = undefined;
  }

  private take(): Waiting<T, R>[] {
    let bytes = 0;
    let end = 0;
    while (end < this.waiting.length && end < this.limits.items) {
      bytes += this.waiting[end]!.size;
      if (end > 0 && bytes > this.limits.bytes) break;
      end++;
    }
    const batch = this.waiting.splice(0, end);
    for (const entry of batch) this.waitingBytes -= entry.size;
    return batch;
  }
}
