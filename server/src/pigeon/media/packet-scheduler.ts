// Calls all sessions of a thread every 20 ms, from one timer, by the monotonic clock so that nothing drifts.

/** Milliseconds of audio in a packet. */
export const packetMs = 20;

/** Packets that are made up for after the thread was busy; further ones are left out. */
const maxMadeUp = 5;

export interface SchedulerTimers {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** Sends the packet of a tick, which was due at a time of the clock. */
export type PacketSender = (tick: number, dueAt: number) => void;

const systemTimers: SchedulerTimers = {
  now: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

export class PacketScheduler {
  private readonly timers: SchedulerTimers;
  private readonly senders = new Set<PacketSender>();
  private startedAt = 0;
  private nextTick = 0;
  private timer: unknown;

  constructor(timers: SchedulerTimers = systemTimers) {
    this.timers = timers;
  }

  now(): number {
    return this.timers.now();
  }

  /** Calls the sender for every packet until the returned function is called. */
  add(sender: PacketSender): () => void {
    if (this.senders.size === 0) this.start();
    this.senders.add(sender);
    return () => {
      if (!this.senders.delete(sender) || this.senders.size > 0) return;
      this.timers.clearTimeout(this.timer);
    };
  }

  private start(): void {
    this.startedAt = this.now();
    this.nextTick = 1;
    this.arm();
  }

  private arm(): void {
    const delay = this.dueAt(this.nextTick) - this.now();
    this.timer = this.timers.setTimeout(() => this.run(), Math.max(0, Math.ceil(delay)));
  }

  private run(): void {
    const latest = Math.floor((this.now() - this.startedAt) / packetMs);
    for (let tick = Math.max(this.nextTick, latest - maxMadeUp + 1); tick <= latest; tick++)
      for (const sender of this.senders) sender(tick, this.dueAt(tick));
    this.nextTick = Math.max(this.nextTick, latest + 1);
    if (this.senders.size > 0) this.arm();
  }

  private dueAt(tick: number): number {
    return this.startedAt + tick * packetMs;
  }
}

/** The scheduler of this thread. */
export const sharedScheduler = new PacketScheduler();
