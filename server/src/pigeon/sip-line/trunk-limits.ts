// Calls per second and at once on each trunk. A call that finds no room waits for it, oldest first.
import type { Clock } from '../../common/clock.ts';

export interface TrunkLimit {
  name: string;
  callsPerSecond: number;
  callsAtOnce: number;
}

interface TrunkLoad extends TrunkLimit {
  /** Start times of the last second. */
  started: number[];
  active: number;
  /** Calls that were told in this turn that there is room, and take it now. */
  admitted: number;
}

interface WaitingCall {
  trunks: readonly string[];
  resolve(hasRoom: boolean): void;
  cancelTimeout(): void;
}

const secondMs = 1000;

export class TrunkLimits {
  private readonly clock: Clock;
  private readonly loads: Map<string, TrunkLoad>;
  private readonly waiting = new Set<WaitingCall>();
  private cancelTimer: (() => void) | undefined;
  private isAdmitting = false;

  constructor(clock: Clock, limits: readonly TrunkLimit[]) {
    this.clock = clock;
    this.loads = new Map(
      limits.map((limit) => [limit.name, { ...limit, started: [], active: 0, admitted: 0 }]),
    );
  }

  /** Counts a call on the trunk; the returned function ends it. Null if the trunk has no room. */
  take(trunk: string): (() => void) | null {
    const load = this.loads.get(trunk);
    if (!load || !this.hasRoom(load, 0)) return null;
    load.active += 1;
    load.started.push(this.clock.now());
    let isActive = true;
    return () => {
      if (!isActive) return;
      isActive = false;
      load.active -= 1;
      this.admit();
    };
  }

  /** Whether the trunk has room now. */
  mayTake(trunk: string): boolean {
    const load = this.loads.get(trunk);
    return load !== undefined && this.hasRoom(load, 0);
  }

  /** Resolves true as soon as one of the trunks has room, false after the given time. */
  waitForRoom(trunks: readonly string[], timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const call: WaitingCall = {
        trunks,
        resolve,
        cancelTimeout: this.clock.after(timeoutMs, () => this.leave(call, false)),
      };
      this.waiting.add(call);
      this.admit();
    });
  }

  close(): void {
    this.cancelTimer?.();
    for (const call of [...this.waiting]) this.leave(call, false);
  }

  private leave(call: WaitingCall, hasRoom: boolean): void {
    if (!this.waiting.delete(call)) return;
    call.cancelTimeout();
    call.resolve(hasRoom);
  }

  /** Lets as many waiting calls in as there is room; they take it before the next turn. */
  private admit(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    for (const call of [...this.waiting]) {
      const load = call.trunks
        .map((name) => this.loads.get(name))
        .find((one) => one && this.hasRoom(one, one.admitted));
      if (!load) continue;
      load.admitted += 1;
      if (!this.isAdmitting) this.clock.after(0, () => this.endAdmission());
      this.isAdmitting = true;
      this.leave(call, true);
    }
    if (this.isAdmitting) return;
    const next = this.nextRoomAt();
    if (next !== null) this.cancelTimer = this.clock.after(next - this.clock.now(), () => this.admit());
  }

  private endAdmission(): void {
    this.isAdmitting = false;
    for (const load of this.loads.values()) load.admitted = 0;
    this.admit();
  }

  private hasRoom(load: TrunkLoad, more: number): boolean {
    const since = this.clock.now() - secondMs;
    load.started = load.started.filter((at) => at > since);
    return load.active + more < load.callsAtOnce && load.started.length + more < load.callsPerSecond;
  }

  /** When a trunk that waits only for the next second has room. */
  private nextRoomAt(): number | null {
    let next: number | null = null;
    for (const { trunks } of this.waiting)
      for (const name of trunks) {
        const load = this.loads.get(name);
        const first = load?.started[0];
        if (!load || first === undefined || load.active >= load.callsAtOnce) continue;
        next = Math.min(next ?? Number.POSITIVE_INFINITY, first + secondMs);
      }
    return next;
  }
}
