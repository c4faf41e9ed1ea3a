// Limits the messages per minute of each receive slot, so that one sender cannot flood the others.
import type { Clock } from '../../common/clock.ts';

interface Bucket {
  tokens: number;
  at: number;
}

/** Maximum slots tracked; one idle for a minute has its full allowance anyway. */
const maxBuckets = 50_000;
const minuteMs = 60_000;

export class SlotRateLimiter {
  private readonly buckets = new Map<string, Bucket>();
  private readonly clock: Clock;
  private readonly perMinute: number;

  /** 0 means no limit. The allowance of a minute may be used at once. */
  constructor(clock: Clock, perMinute: number) {
    this.clock = clock;
    this.perMinute = perMinute;
  }

  /** Consumes one message; returns 0, or the seconds (rounded up) until the next is allowed. */
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
