// Collects refused requests, so that an operator can see why messages of a sender do not arrive. Requests to
// unknown slots are only counted in the server's log.
import type { Refusal, RefusalReason, RefusedSender } from '../alerthub/slots/refusal.ts';
import type { SlotAddress } from '../alerthub/slots/slot-directory.ts';
import type { Clock } from '../common/clock.ts';
import type { Log } from '../common/log.ts';

/** Milliseconds for which refusals are collected. */
const collectMs = 1000;
/** Maximum refusals collected at a time; further ones are dropped. */
const maxCollected = 1000;
/** Milliseconds between two log lines about unknown slots. */
const unknownIntervalMs = 60_000;
const maxTextLength = 200;

export interface RefusalLogDeps {
  clock: Clock;
  log: Log;
  /** Gets what was collected. */
  onRefused(refusals: Refusal[]): void;
}

export class RefusalLog {
  private readonly deps: RefusalLogDeps;
  private collected = new Map<string, Refusal>();
  private unknownCount = 0;
  private unknownLoggedAt = Number.NEGATIVE_INFINITY;
  private stopTimer: () => void = () => undefined;

  constructor(deps: RefusalLogDeps) {
    this.deps = deps;
  }

  record(slot: SlotAddress, reason: RefusalReason, { method, sender, userAgent }: RefusedSender): void {
    const { receiveSlotId, endpoint: address } = slot;
    const key = [receiveSlotId, address, reason, method, sender].join(' ');
    const refusedAt = this.deps.clock.now();
    const known = this.collected.get(key);
    if (known) {
      known.count += 1;
      known.refusedAt = refusedAt;
      return;
    }
    if (this.collected.size >= maxCollected) return;
    if (this.collected.size === 0) this.stopTimer = this.deps.clock.after(collectMs, () => this.passOn());
    this.collected.set(key, {
      receiveSlotId,
      address,
      reason,
      method: method.slice(0, 20),
      sender: sender.slice(0, maxTextLength),
      userAgent: userAgent.slice(0, maxTextLength),
      count: 1,
      refusedAt,
    });
  }

  /** Logs a request to an unknown slot, at most once a minute, with the number of those since the last line. */
  recordUnknown({ method, sender, userAgent }: RefusedSender): void {
    this.unknownCount += 1;
    const { clock, log } = this.deps;
    const now = clock.now();
    if (now - this.unknownLoggedAt < unknownIntervalMs) return;
    log({
      level: 'warn',
      message: 'requests to unknown receive slots are refused',
      count: this.unknownCount,
      method,
      sender,
      userAgent: userAgent.slice(0, maxTextLength),
    });
    this.unknownCount = 0;
    this.unknownLoggedAt = now;
  }

  close(): void {
    this.stopTimer();
  }

  private passOn(): void {
    const refusals = [...this.collected.values()];
    this.collected = new Map();
    this.deps.onRefused(refusals);
  }
}
