// Limits how fast packets leave and how many hosts are contacted at the same time.

/** Milliseconds by which a packet may be early, so that fast paces do not need one timer per packet. */
const slackMs = 5;

export interface Timing {
  now(): number;
  /** Rejects with the reason of the signal when it aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemTiming: Timing = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      }, milliseconds);
      signal.addEventListener('abort', onAbort, { once: true });
    }),
};

/** Spaces packets evenly. */
export class PacketRate {
  private readonly perSecond: number;
  private readonly timing: Timing;
  private nextAt = Number.NEGATIVE_INFINITY;

  constructor(perSecond: number, timing: Timing) {
    this.perSecond = perSecond;
    this.timing = timing;
  }

  /** Resolves when the next packet may be sent, or the first of several: the time of the others is kept for them. */
  async take(signal: AbortSignal, packets = 1): Promise<void> {
    signal.throwIfAborted();
    const now = this.timing.now();
    const at = Math.max(now, this.nextAt);
    this.nextAt = at + (packets * 1000) / this.perSecond;
    if (at - now > slackMs) await this.timing.sleep(at - now, signal);
  }
}

/** Holds work back while a scan is paused. */
export class PauseGate {
  private opened: { promise: Promise<void>; open: () => void } | undefined;

  get isPaused(): boolean {
    return this.opened !== undefined;
  }

  pause(): void {
    if (this.opened) return;
    let open = () => {};
    const promise = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.opened = { promise, open };
  }

  resume(): void {
    this.opened?.open();
    this.opened = undefined;
  }

  /** Resolves at once unless paused; rejects when the signal aborts. */
  async pass(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (this.opened) {
      const { promise } = this.opened;
      let onAbort = () => {};
      const aborted = new Promise<never>((_, reject) => {
        onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
      });
      await Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
    }
  }
}

/** Runs work for each item, at most `parallel` at a time; rejects with the first error after all have ended. */
export async function forEachParallel<T>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed: { error: unknown } | undefined;
  const worker = async () => {
    while (next < items.length && !failed) {
      try {
        await work(items[next++]!);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker));
  if (failed) throw failed.error;
}
