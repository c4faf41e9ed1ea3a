// Limits how many speech engines run at once; further work waits in order, up to a limit.
import { VoiceFailed } from './speech-renderer.ts';

export class EngineSlots {
  private readonly waiting: (() => void)[] = [];
  private free: number;
  private readonly maxWaiting: number;

  constructor(size: number, maxWaiting: number) {
    this.free = size;
    this.maxWaiting = maxWaiting;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else {
      if (this.waiting.length >= this.maxWaiting) throw new VoiceFailed('too many texts wait for a voice');
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
