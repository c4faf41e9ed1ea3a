// Calls all sessions of a thread every 20 ms, from one timer, by the monotonic clock so that nothing drifts.
import { type Clock, systemClock } from '../../common/clock.ts';

/** Milliseconds of audio in a packet. */
export const packetMs = 20;

/** Packets that are made up for after the thread was busy; further ones are left out. */
const maxMadeUp = 5;

/**
 * Sends the packet of a tick, which was due at a time of the clock; the first one after a stall was due when the stall
 * began. Must not throw.
 */
export type PacketSender = (tick: number, dueAt: number) => void;

/** The time that corrections of the system clock do not change. */
const monotonicClock: Pick<Clock, 'now' | 'after'> = {
  now: () => performance.now(),
  after: (milliseconds, work) => systemClock.after(milliseconds, work),
};

export class PacketScheduler {
  private readonly clock: Pick<Clock, 'now' | 'after'>;
  private readonly senders = new Set<PacketSender>();
  private startedAt = 0;
  private nextTick = 0;
  private isRunning = false;
  private cancelTimer: (() => void) | undefined;

  constructor(clock: Pick<Clock, 'now' | 'after'> = monotonicClock) {
    this.clock = clock;
  }

  now(): number {
    return this.clock.now();
  }

  /** Calls the sender for every packet until the returned function is called. */
  add(sender: PacketSender): () => void {
    this.senders.add(sender);
    if (!this.cancelTimer && !this.isRunning) {
      this.startedAt = this.now();
      this.nextTick = 1;
      this.arm();
    }
    return () => {
      this.senders.delete(sender);
      if (this.senders.size > 0) return;
      this.cancelTimer?.();
      this.cancelTimer = undefined;
    };
  }

  private arm(): void {
    const delay = Math.max(0, Math.ceil(this.dueAt(this.nextTick) - this.now()));
    this.cancelTimer = this.clock.after(delay, () => this.run());
  }

  private run(): void {
    this.cancelTimer = undefined;
    this.isRunning = true;
    const latest = Math.floor((this.now() - this.startedAt) / packetMs);
    let dueAt = this.dueAt(this.nextTick);
    for (let tick = Math.max(this.nextTick, latest - maxMadeUp + 1); tick <= latest; tick++) {
      for (const sender of this.senders) sender(tick, dueAt);
      dueAt = this.dueAt(tick + 1);
    }
    this.nextTick = Math.max(this.nextTick, latest + 1);
    this.isRunning = false;
    if (this.senders.size > 0) this.arm();
  }

  private dueAt(tick: number): number {
    return this.startedAt + tick * packetMs;
  }
}

/** The scheduler of this thread. */
export const sharedScheduler = new PacketScheduler();
