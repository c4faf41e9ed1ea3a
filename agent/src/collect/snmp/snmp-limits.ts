// What may be spent on reading one host by SNMP.
import { AnswerTime } from './answer-time.ts';

export interface SnmpLimits {
  /** Milliseconds to wait for an answer: at first and at least, and at most for a slow device. */
  timeoutMs: number;
  maxTimeoutMs: number;
  /** Attempts of a request before the host counts as silent; the first request of an account has fewer. */
  attempts: number;
  firstAttempts: number;
  /** Milliseconds for the host, without those in which the scan is paused or slowed down. */
  hostMs: number;
  bytes: number;
  packets: number;
  /** Rows of a table that has no limit of its own. */
  rows: number;
}

export const defaultLimits: SnmpLimits = {
  timeoutMs: 1000,
  maxTimeoutMs: 5000,
  attempts: 3,
  firstAttempts: 2,
  hostMs: 60_000,
  bytes: 32 * 1024 * 1024,
  packets: 10_000,
  rows: 20_000,
};

/** What is used of it, by all sessions with the host. */
export class SnmpUsage {
  readonly limits: SnmpLimits;
  readonly answerTime: AnswerTime;
  readonly now: () => number;
  private readonly startedAt: number;
  private waitedMs = 0;
  private bytes = 0;
  private packets = 0;

  constructor(limits: SnmpLimits, now: () => number) {
    this.limits = limits;
    this.answerTime = new AnswerTime(limits);
    this.now = now;
    this.startedAt = now();
  }

  /** Time in which this program itself holds packets back does not count. */
  async wait(admit: () => Promise<void>): Promise<void> {
    const from = this.now();
    await admit();
    this.waitedMs += this.now() - from;
    this.packets++;
  }

  received(bytes: number): void {
    this.bytes += bytes;
  }

  /** The limit that is exceeded, as a code. */
  exceeded(): 'TIMEOUT' | 'TOO_MUCH_OUTPUT' | undefined {
    if (this.now() - this.startedAt - this.waitedMs > this.limits.hostMs) return 'TIMEOUT';
    return this.bytes > this.limits.bytes || this.packets > this.limits.packets
      ? 'TOO_MUCH_OUTPUT'
      : undefined;
  }
}
