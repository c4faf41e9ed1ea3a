// In-memory queue of messages waiting for evaluation, so that those just stored need not be read back.

/** A queued message: `seq` is its position, `weight` its size in bytes. */
export interface BufferedEntry {
  seq: string;
  weight: number;
}

/** Maximum held in memory; the rest is read from the database. */
const maxEntries = 4000;
const maxBytes = 32 << 20;

/**
 * Complete only with the embedded engine, where one process assigns all positions over one connection. It may
 * hold too much, but never too little without marking the gap; the statement that removes messages from the
 * stored queue ensures that each is evaluated once.
 */
export class PendingBuffer<T extends BufferedEntry> {
  private entries: T[] = [];
  private bytes = 0;
  /** True while the database may contain messages missing here. */
  private hasGap = true;
  private gapCount = 0;

  /** Whether it holds all waiting messages. */
  get isComplete(): boolean {
    return !this.hasGap;
  }

  get length(): number {
    return this.entries.length;
  }

  add(list: readonly T[]): void {
    for (const entry of list) {
      this.entries.push(entry);
      this.bytes += entry.weight;
    }
    if (this.entries.length > maxEntries || this.bytes > maxBytes) this.invalidate();
  }

  /** Discards everything, so that the queue is read from the database. */
  invalidate(): void {
    this.entries = [];
    this.bytes = 0;
    this.hasGap = true;
    this.gapCount++;
  }

  /** Called before the stored queue is read; the returned function is called once all of it was read. */
  beginRead(): () => void {
    const { gapCount } = this;
    return () => {
      if (gapCount === this.gapCount) this.hasGap = false;
    };
  }

  /** Returns the first messages, at most `count` and about `bytes`. */
  peek(count: number, bytes: number): T[] {
    let end = 0;
    let size = 0;
    while (end < this.entries.length && end < count && (end === 0 || size < bytes)) {
      size += this.entries[end]!.weight;
      end++;
    }
    return this.entries.slice(0, end);
  }

  /** Removes evaluated messages. */
  remove(seqs: Iterable<string>): void {
    const removed = new Set(seqs);
    this.entries = this.entries.filter((entry) => !removed.has(entry.seq));
    this.bytes = this.entries.reduce((sum, entry) => sum + entry.weight, 0);
  }
}
