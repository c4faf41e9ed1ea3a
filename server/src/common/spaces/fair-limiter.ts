// Limits how much work runs at a time; the spaces of waiting work take turns.
import { FairQueue } from './fair-queue.ts';
import { SpaceShares } from './space-shares.ts';

export class FairLimiter {
  private readonly maxRunning: number;
  private readonly shares: SpaceShares;
  private readonly waiting = new FairQueue<() => void>();
  private running = 0;

  /** `max` is the number of places for work that runs or waits, which spaces share (`SpaceShares`). */
  constructor({ maxRunning, max }: { maxRunning: number; max: number }) {
    this.maxRunning = maxRunning;
    this.shares = new SpaceShares({ max });
  }

  /** Whether the space may have work run or wait at present. */
  hasPlace(space: string): boolean {
    return this.shares.freeFor(space) > 0;
  }

  /** Rejects with the reason of the signal if that ends the wait. */
  async run<T>(space: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.shares.take(space);
    try {
      if (this.running < this.maxRunning) this.running += 1;
      else await this.wait(space, signal);
      try {
        return await work();
      } finally {
        // The next one takes over what this one had.
        const next = this.waiting.shift();
        if (next) next();
        else this.running -= 1;
      }
    } finally {
      this.shares.release(space);
    }
  }

  private wait(space: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.waiting.remove(space, begin);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.waiting.push(space, begin);
    });
  }
}
