// Tracks the load of delivery targets and limits the deliveries buffered in memory for each.

/**
 * Returns what deliveries depend on together: an on-site agent, an email sender of a space, the host of a webhook, or
 * for other mails the mail server of this server.
 */
export function targetOf({ kind, request }: { kind: string; request: unknown }): string {
  const { url, ksocketSlotId, emailActionSenderSettingId } = (request ?? {}) as {
    url?: string;
    ksocketSlotId?: string;
    emailActionSenderSettingId?: string;
  };
  const id = ksocketSlotId || emailActionSenderSettingId;
  if (id) return id;
  return kind === 'webhook' && url && URL.canParse(url) ? new URL(url).host : kind;
}

/** Maximum concurrent attempts per target. */
const maxPerTarget = 16;
/**
 * Milliseconds: deliveries that a target is likely to take within this time are buffered; a target that does
 * not respond for this long is slow.
 */
export const queueWindowMs = 250;
/** Weight of the latest attempt in the moving average of the duration. */
const smoothingFactor = 0.2;

interface TargetLoad {
  activeCount: number;
  /** When the last attempt ended, or the first began, in milliseconds since the Unix epoch. */
  lastActivityAt: number;
  /** Moving average of the duration of an attempt in milliseconds; undefined before the first has ended. */
  averageMs: number | undefined;
}

export class DeliveryTargets {
  private readonly now: () => number;
  /** Targets with running attempts. */
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

  /** Ends an attempt that began at `begunAt` (milliseconds since the Unix epoch). */
  endAttempt(name: string, startedAt: number): void {
    const target = this.targets.get(name)!;
    target.lastActivityAt = this.now();
    const took = target.lastActivityAt - startedAt;
    target.averageMs =
      target.averageMs === undefined ? took : target.averageMs + smoothingFactor * (took - target.averageMs);
    target.activeCount--;
    if (target.activeCount === 0) this.targets.delete(name);
  }

  /**
   * Maximum deliveries to buffer for a target. An unknown target is assumed to be fast until it has not
   * responded for a while.
   */
  maxWaiting(name: string): number {
    const target = this.targets.get(name);
    if (!target) return maxPerTarget;
    const latency = Math.max(target.averageMs ?? 0, this.now() - target.lastActivityAt, 1);
    return Math.max(Math.floor((maxPerTarget * queueWindowMs) / latency), maxPerTarget);
  }

  /** Whether it takes no more within `reach` than the attempts already running. */
  isSlow(name: string): boolean {
    return this.maxWaiting(name) === maxPerTarget;
  }
}
