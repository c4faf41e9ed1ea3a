// How busy the targets of deliveries are, and how many deliveries may wait in memory for each of them.

/** Attempts under way to one target at once. */
const maxPerTarget = 16;
/** What a target is likely to take within so many milliseconds may wait for it here; who is silent for so long is slow. */
export const reach = 250;
/** Weight of the latest attempt in the typical time of one. */
const weight = 0.2;

interface Target {
  busy: number;
  /** When an attempt last ended, or the first one began: milliseconds since 1970. */
  since: number;
  /** Milliseconds that an attempt typically takes; undefined while none has ended. */
  typical: number | undefined;
}

export class DeliveryTargets {
  private readonly now: () => number;
  /** Targets with attempts under way. */
  private readonly targets = new Map<string, Target>();

  constructor(now: () => number) {
    this.now = now;
  }

  hasPlace(name: string): boolean {
    return (this.targets.get(name)?.busy ?? 0) < maxPerTarget;
  }

  begin(name: string): void {
    const target = this.targets.get(name);
    if (target) target.busy++;
    else this.targets.set(name, { busy: 1, since: this.now(), typical: undefined });
  }

  /** An attempt that began at `begunAt`, milliseconds since 1970, has ended. */
  end(name: string, begunAt: number): void {
    const target = this.targets.get(name)!;
    target.since = this.now();
    const took = target.since - begunAt;
    target.typical = target.typical === undefined ? took : target.typical + weight * (took - target.typical);
    target.busy--;
    if (target.busy === 0) this.targets.delete(name);
  }

  /** A target that is not known yet is taken for a fast one, until it has been silent for a while. */
  mostWaiting(name: string): number {
    const target = this.targets.get(name);
    if (!target) return maxPerTarget;
    const latency = Math.max(target.typical ?? 0, this.now() - target.since, 1);
    return Math.max(Math.floor((maxPerTarget * reach) / latency), maxPerTarget);
  }

  /** Whether it takes no more within `reach` than what is under way. */
  isSlow(name: string): boolean {
    return this.mostWaiting(name) === maxPerTarget;
  }
}
