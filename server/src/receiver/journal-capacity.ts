// Limits the size of the intake journal: a maximum of its own, and disk space reserved for everything else.
import type { Clock } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
import { FreeSpace } from '../common/machine/free-space.ts';

export interface JournalLimits {
  /** Maximum bytes of entries waiting for the database. */
  waiting: number;
  /** Bytes that must stay free on the disk. */
  reserve: number;
}

export class JournalCapacity {
  private readonly limits: JournalLimits;
  private readonly free: FreeSpace;
  private readonly log: Log;
  /** Waiting bytes by the position of the last entry of each write; those before `firstWaiting` were released. */
  private writes: { sequence: number; bytes: number }[] = [];
  private firstWaiting = 0;
  private waitingBytes = 0;
  private loggedReason: string | null = null;

  constructor(folder: string, limits: JournalLimits, { clock, log }: { clock: Clock; log: Log }) {
    this.limits = limits;
    this.free = new FreeSpace(folder, clock);
    this.log = log;
  }

  /** Why nothing more can be accepted; null if there is space. */
  unavailableReason(): string | null {
    const freeBytes = this.free.bytes();
    let reason: string | null = null;
    if (this.waitingBytes >= this.limits.waiting) reason = 'the intake journal is full';
    else if (freeBytes < this.limits.reserve) reason = 'the disk of the intake journal is nearly full';
    if (reason !== null && this.loggedReason === null)
      this.log({ level: 'error', message: `no message is taken in: ${reason}`, waiting: this.waitingBytes });
    if (reason === null && this.loggedReason !== null)
      this.log({ level: 'info', message: 'messages are taken in again' });
    this.loggedReason = reason;
    return reason;
  }

  recordWrite(sequence: number, bytes: number): void {
    this.writes.push({ sequence, bytes });
    this.waitingBytes += bytes;
  }

  recordRelease(upTo: number): void {
    const { writes } = this;
    while (this.firstWaiting < writes.length && writes[this.firstWaiting]!.sequence <= upTo) {
      this.waitingBytes -= writes[this.firstWaiting]!.bytes;
      this.firstWaiting++;
    }
    // Removing few of many elements would move all others each time.
    if (this.firstWaiting * 2 < writes.length) return;
    writes.splice(0, this.firstWaiting);
    this.firstWaiting = 0;
  }
}
