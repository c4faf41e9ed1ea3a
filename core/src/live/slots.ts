// Limits how many pieces of work run at the same time.

/** At most `count` pieces of work at the same time; the others wait in order. */
export class Slots {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(count: number) {
    this.free = count;
  }

  /** Pieces of work that wait. */
  get queued(): number {
    return this.waiting.length;
  }

  get isFull(): boolean {
    return this.free === 0;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
