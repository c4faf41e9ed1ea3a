// The messages that wait for their decision, as far as this process knows them: what it has just stored need not be read.

/** What can stand in the line: `seq` is its place, `weight` the bytes that it takes. */
export interface Queued {
  seq: string;
  weight: number;
}

/** Held in memory at most; what is beyond is read from the store, where it lies anyway. */
const maxHeld = 4000;
const maxBytes = 32 << 20;

/**
 * Complete only in the one process of the embedded engine: there every place in the line is given out over one
 * connection. It may hold too much, never too little without saying so; that each message is decided once is for the
 * statement that takes it out of the store's line.
 */
export class PendingBuffer<T extends Queued> {
  private held: T[] = [];
  private bytes = 0;
  /** True while the store may hold messages that are not held here. */
  private gap = true;
  private gaps = 0;

  /** Whether what is held is all that waits. */
  get isComplete(): boolean {
    return !this.gap;
  }

  get length(): number {
    return this.held.length;
  }

  add(list: readonly T[]): void {
    for (const entry of list) {
      this.held.push(entry);
      this.bytes += entry.weight;
    }
    if (this.held.length > maxHeld || this.bytes > maxBytes) this.lose();
  }

  /** Forgets what is held: the store knows better. */
  lose(): void {
    this.held = [];
    this.bytes = 0;
    this.gap = true;
    this.gaps++;
  }

  /** Called before the store's line is read; what it gives is called when all of it was read. */
  reading(): () => void {
    const { gaps } = this;
    return () => {
      if (gaps === this.gaps) this.gap = false;
    };
  }

  /** The first ones, at most `count` and about `bytes`. */
  first(count: number, bytes: number): T[] {
    let end = 0;
    let size = 0;
    while (end < this.held.length && end < count && (end === 0 || size < bytes)) {
      size += this.held[end]!.weight;
      end++;
    }
    return this.held.slice(0, end);
  }

  /** Takes out what was decided. */
  remove(seqs: Iterable<string>): void {
    const gone = new Set(seqs);
    this.held = this.held.filter((entry) => !gone.has(entry.seq));
    this.bytes = this.held.reduce((sum, entry) => sum + entry.weight, 0);
  }
}
