// How many messages one receive slot takes in a minute: a sender that runs wild is held back before it floods the rest.
import type { Clock } from '../../common/clock.ts';

interface Bucket {
  tokens: number;
  at: number;
}

/** Slots remembered; one that was quiet for a minute is full again anyway. */
const maxBuckets = 50_000;
const minuteMs = 60_000;

export class SlotRateLimiter {
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
    const bucket = this.buckets.get(receiveSlotId) ?? { tokens: this.perMinute, at: now };
    const gained = (Math.max(now - bucket.at, 0) / minuteMs) * this.perMinute;
    const left = Math.min(bucket.tokens + gained, this.perMinute);
    const wait = left >= 1 ? 0 : Math.ceil(((1 - left) / this.perMinute) * 60);
    if (this.buckets.size >= maxBuckets) this.buckets.clear();
    this.buckets.set(receiveSlotId, { tokens: wait === 0 ? left - 1 : left, at: now });
    return wait;
  }
}
