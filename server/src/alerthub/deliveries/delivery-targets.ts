// How busy the targets of deliveries are, and how many deliveries may wait in memory for each of them.

/** Attempts under way to one target at once. */
const maxPerTarget = 16;
/** What a target is likely to take within so many milliseconds may wait for it here; who is silent for so long is slow. */
export const queueWindowMs = 250;
/** Weight of the latest attempt in the typical time of one. */
const smoothingFactor = 0.2;

interface TargetLoad {
  activeCount: number;
  /** When an attempt last ended, or the first one began: milliseconds since 1970. */
  lastActivityAt: number;
  /** Milliseconds that an attempt typically takes; undefined while none has ended. */
  averageMs: number | undefined;
}

export class DeliveryTargets {
  private readonly now: () => number;
  /** Targets with attempts under way. */
  private readonly targets = new Map<string, TargetLoad>();

  constructor(now: () => number) {
    this.now = now;
  }

  hasCapacity(name: string): boolean {
    return (this.targets.get(name)?.activeCount ?? 0) < maxPerTarget;
  }

  startAttempt(name: string): void {
    const target = this.targets.get(name);
    if (target) target.activeCount++;
    else this.targets.set(name, { activeCount: 1, lastActivityAt: this.now(), averageMs: undefined });
  }

  /** An attempt that began at `begunAt`, milliseconds since 1970, has ended. */
  endAttempt(name: string, startedAt: number): void {
    const target = this.targets.get(name)!;
    target.lastActivityAt = this.now();
    const took = target.lastActivityAt - startedAt;
    target.averageMs =
      target.averageMs === undefined ? took : target.averageMs + smoothingFactor * (took - target.averageMs);
    target.activeCount--;
    if (target.activeCount === 0) this.targets.delete(name);
  }

  /** A target that is not known yet is taken for a fast one, until it has been silent for a while. */
  maxWaiting(name: string): number {
    const target = this.targets.get(name);
    if (!target) return maxPerTarget;
    const latency = Math.max(target.averageMs ?? 0, this.now() - target.lastActivityAt, 1);
    return Math.max(Math.floor((maxPerTarget * queueWindowMs) / latency), maxPerTarget);
  }

  /** Whether it takes no more within `reach` than what is under way. */
  isSlow(name: string): boolean {
    return this.maxWaiting(name) === maxPerTarget;
  }
}
