// How many messages one receive slot takes in a minute: a sender that runs wild is held back before it floods the rest.
import type { Clock } from '../clock.ts';

interface Bucket {
  left: number;
  at: number;
}

/** Slots remembered; one that was quiet for a minute is full again anyway. */
const max = 50_000;
const minute = 60_000;

export class SlotRate {
  private readonly buckets = new Map<string, Bucket>();
  private readonly clock: Clock;
  private readonly perMinute: number;

  /** 0 sets no limit. A minute's worth may come at once. */
  constructor(clock: Clock, perMinute: number) {
    this.clock = clock;
    this.perMinute = perMinute;
  }

  /** Takes one; gives 0, or the whole seconds after which there is one again. */
  take(receiveSlotId: string): number {
    if (this.perMinute === 0) return 0;
    const now = this.clock.now();
    const bucket = this.buckets.get(receiveSlotId) ?? { left: this.perMinute, at: now };
    const gained = (Math.max(now - bucket.at, 0) / minute) * this.perMinute;
    const left = Math.min(bucket.left + gained, this.perMinute);
    const wait = left >= 1 ? 0 : Math.ceil(((1 - left) / this.perMinute) * 60);
    if (this.buckets.size >= max) this.buckets.clear();
    this.buckets.set(receiveSlotId, { left: wait === 0 ? left - 1 : left, at: now });
    return wait;
  }
}
