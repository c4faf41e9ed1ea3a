// How much the intake journal may hold: a bound of its own, and room that stays free on its disk for everything else.
import { statfs } from 'node:fs/promises';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

export interface SpaceLimits {
  /** Bytes of entries that may wait for the store. */
  waiting: number;
  /** Bytes that stay free on the disk. */
  reserve: number;
}

/** Milliseconds for which what the disk said holds. */
const askEvery = 1000;

export class JournalSpace {
  private readonly folder: string;
  private readonly limits: SpaceLimits;
  private readonly clock: Clock;
  private readonly log: Log;
  /** What waits, by the place of the last entry of each write. */
  private writes: { place: number; bytes: number }[] = [];
  private waiting = 0;
  private free = Number.POSITIVE_INFINITY;
  private askedAt = Number.NEGATIVE_INFINITY;
  private told: string | null = null;

  constructor(folder: string, limits: SpaceLimits, { clock, log }: { clock: Clock; log: Log }) {
    this.folder = folder;
    this.limits = limits;
    this.clock = clock;
    this.log = log;
  }

  /** Why nothing more can be taken in; null when there is room. */
  reason(): string | null {
    this.ask();
    let reason: string | null = null;
    if (this.waiting >= this.limits.waiting) reason = 'the intake journal is full';
    else if (this.free < this.limits.reserve) reason = 'the disk of the intake journal is nearly full';
    if (reason !== null && this.told === null)
      this.log({ level: 'error', message: `no message is taken in: ${reason}`, waiting: this.waiting });
    if (reason === null && this.told !== null)
      this.log({ level: 'info', message: 'messages are taken in again' });
    this.told = reason;
    return reason;
  }

  wrote(place: number, bytes: number): void {
    this.writes.push({ place, bytes });
    this.waiting += bytes;
  }

  released(upTo: number): void {
    let count = 0;
    for (const { place, bytes } of this.writes) {
      if (place > upTo) break;
      this.waiting -= bytes;
      count++;
    }
    if (count > 0) this.writes.splice(0, count);
  }

  /** Looks at the disk now and then, and never waits for it. */
  private ask(): void {
    const now = this.clock.now();
    if (Math.abs(now - this.askedAt) < askEvery) return;
    this.askedAt = now;
    statfs(this.folder).then(
      ({ bavail, bsize }) => {
        this.free = bavail * bsize;
      },
      // A folder that is not there is told of by the write into it.
      () => undefined,
    );
  }
}
