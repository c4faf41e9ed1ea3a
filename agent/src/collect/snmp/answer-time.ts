// How long to wait for an answer: as the device's answers so far tell (RFC 6298), within bounds.

export class AnswerTime {
  private readonly bounds: { timeoutMs: number; maxTimeoutMs: number };
  private smoothed: number | undefined;
  private deviation = 0;
  private waitMs: number;

  constructor(bounds: { timeoutMs: number; maxTimeoutMs: number }) {
    this.bounds = { ...bounds, maxTimeoutMs: Math.max(bounds.timeoutMs, bounds.maxTimeoutMs) };
    this.waitMs = bounds.timeoutMs;
  }

  /** Milliseconds for an attempt of a request, counted from 0; each waits twice as long as the one before. */
  timeoutMs(attempt: number): number {
    return Math.min(this.bounds.maxTimeoutMs, this.waitMs * 2 ** attempt);
  }

  answered(milliseconds: number, attempt: number): void {
    // It may have been the answer to an earlier attempt, so that its time says nothing; the wait was long enough.
    if (attempt > 0) {
      this.waitMs = this.timeoutMs(attempt);
      return;
    }
    if (this.smoothed === undefined) {
      this.smoothed = milliseconds;
      this.deviation = milliseconds / 2;
    } else {
      this.deviation = 0.75 * this.deviation + 0.25 * Math.abs(this.smoothed - milliseconds);
      this.smoothed = 0.875 * this.smoothed + 0.125 * milliseconds;
    }
    const { timeoutMs, maxTimeoutMs } = this.bounds;
    this.waitMs = Math.min(maxTimeoutMs, Math.max(timeoutMs, this.smoothed + 4 * this.deviation));
  }
}
