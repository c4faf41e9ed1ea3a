// The messages that wait for their decision, as far as this process knows them: what it has just stored need not be read.

/** What can stand in the line: `seq` is its place, `weight` the bytes that it takes. */
export interface BufferedEntry {
  seq: string;
  weight: number;
}

/** Held in memory at most; what is beyond is read from the store, where it lies anyway. */
const maxEntries = 4000;
const maxBytes = 32 << 20;

/**
 * Complete only in the one process of the embedded engine: there every place in the line is given out over one
 * connection. It may hold too much, never too little without saying so; that each message is decided once is for the
 * statement that takes it out of the store's line.
 */
export class PendingBuffer<T extends BufferedEntry> {
  private entries: T[] = [];
  private bytes = 0;
  /** True while the store may hold messages that are not held here. */
  private hasGap = true;
  private gapCount = 0;

  /** Whether what is held is all that waits. */
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

  /** Forgets what is held: the store knows better. */
  invalidate(): void {
    this.entries = [];
    this.bytes = 0;
    this.hasGap = true;
    this.gapCount++;
  }

  /** Called before the store's line is read; what it gives is called when all of it was read. */
  beginRead(): () => void {
    const { gapCount } = this;
    return () => {
      if (gapCount === this.gapCount) this.hasGap = false;
    };
  }

  /** The first ones, at most `count` and about `bytes`. */
  peek(count: number, bytes: number): T[] {
    let end = 0;
    let size = 0;
    while (end < this.entries.length && end < count && (end === 0 || size < bytes)) {
      size += this.entries[end]!.weight;
      end++;
    }
    return this.entries.slice(0, end);
  }

  /** Takes out what was decided. */
  remove(seqs: Iterable<string>): void {
    const removed = new Set(seqs);
    this.entries = this.entries.filter((entry) => !removed.has(entry.seq));
    this.bytes = this.entries.reduce((sum, entry) => sum + entry.weight, 0);
  }
}
