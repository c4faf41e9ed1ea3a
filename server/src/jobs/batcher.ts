// Group commit: items that arrive during a write are written together in the next one and share its commit.

interface PendingItem<T, R> {
  item: T;
  size: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}

export interface BatchLimits {
  /** Maximum items and bytes of one write. */
  items: number;
  bytes: number;
  /** Maximum items and bytes waiting; beyond, `add` throws `BatcherFull`. */
  waitingItems: number;
  waitingBytes: number;
  /** How long the first item waits for others, unless it is urgent. By default not at all. */
  gathering?: {
    milliseconds: number;
    /** Items after which the wait ends. */
    items: number;
  };
}

/** Items from which on a write costs so little per item that it does not wait for those that arrive meanwhile. */
const enoughItems = 16;

export class BatcherFull extends Error {}

/** Result of a single item that could not be written. */
export class RejectedItem {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/**
 * `write` returns one result per item, in order; if it throws, all items of the batch fail with that error.
 */
export class Batcher<T, R> {
  private waiting: PendingItem<T, R>[] = [];
  private waitingBytes = 0;
  private running: Promise<void> | undefined;
  private isFlushRequested = false;
  /** Ends the wait for further items. */
  private endGathering: () => void = () => undefined;
  private readonly write: (items: T[]) => Promise<(R | RejectedItem)[]>;
  private readonly limits: BatchLimits;

  constructor(write: (items: T[]) => Promise<(R | RejectedItem)[]>, limits: BatchLimits) {
    this.write = write;
    this.limits = limits;
  }

  /** Number of waiting items. */
  get length(): number {
    return this.waiting.length;
  }

  /** Total bytes of waiting items. */
  get size(): number {
    return this.waitingBytes;
  }

  /** Whether `add` would reject an item of this size. */
  isFullFor(size: number): boolean {
    return (
      this.waiting.length >= this.limits.waitingItems || this.waitingBytes + size > this.limits.waitingBytes
    );
  }

  /** An urgent item is not kept waiting for others. */
  add(item: T, size = 0, isUrgent = false): Promise<R> {
    if (this.isFullFor(size)) return Promise.reject(new BatcherFull('too much is waiting to be written'));
    return new Promise<R>((resolve, reject) => {
      this.waiting.push({ item, size, resolve, reject });
      this.waitingBytes += size;
      this.running ??= this.run();
      const isEnough = this.waiting.length >= (this.limits.gathering?.items ?? 0);
      if (isUrgent || isEnough) this.flush();
    });
  }

  /** Resolves when nothing is waiting. */
  async drained(): Promise<void> {
    this.flush();
    await this.running;
  }

  /** Writes what is waiting without gathering more. */
  flush(): void {
    this.isFlushRequested = this.waiting.length > 0;
    this.endGathering();
  }

  /** Real time, because it is the actual machine that writes less. */
  private async gather(): Promise<void> {
    const { gathering } = this.limits;
    if (!gathering || this.isFlushRequested) await this.gatherArrived();
    else
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, gathering.milliseconds);
        this.endGathering = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.isFlushRequested = false;
  }

  /**
   * Items that have already arrived on other sockets join the batch, as long as there are few and each turn of the event
   * loop brings some.
   */
  private async gatherArrived(): Promise<void> {
    let length = 0;
    while (length < this.waiting.length && this.waiting.length < enoughItems) {
      length = this.waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      await this.gather();
      const batch = this.nextBatch();
      try {
        const results = await this.write(batch.map((entry) => entry.item));
        for (const [index, entry] of batch.entries()) {
          const result = results[index]!;
          if (result instanceof RejectedItem) entry.reject(result.error);
          else entry.resolve(result);
        }
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
    }
    this.running = undefined;
  }

  private nextBatch(): PendingItem<T, R>[] {
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
