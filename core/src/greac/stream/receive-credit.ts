// How much credit a viewer gives back. The credit of the beginning is used up by a fast sender long before more can
// arrive; it gets more as long as all of it passes in the time of a few frames of a screen, so that a key that is shown
// behind it does not wait.
import { streamLimits } from './frame.ts';

/** The server disconnects a viewer for which more than 1 MiB waits. */
const maxWindow = 3 * streamLimits.credit;
/** Milliseconds in which a fast sender uses the credit of the beginning. */
const fastMs = 16;

export class ReceiveCredit {
  private readonly now: () => number;
  /** Bytes that the sender may have sent without new credit. */
  private window: number = streamLimits.credit;
  /** Bytes of the window that were consumed, and since when. */
  private consumed = 0;
  private since: number;
  /** Bytes to give back; below 0 while the window shrinks. */
  private owed = 0;

  constructor(now: () => number) {
    this.now = now;
    this.since = now();
  }

  /** The credit to give for bytes that were consumed; may be 0. */
  creditFor(bytes: number): number {
    this.owed += bytes;
    this.consumed += bytes;
    if (this.consumed >= this.window) this.adapt();
    if (this.owed <= 0) return 0;
    const credit = this.owed;
    this.owed = 0;
    return credit;
  }

  private adapt(): void {
    const now = this.now();
    const isFast = (now - this.since) * streamLimits.credit <= fastMs * this.consumed;
    const next = isFast ? Math.min(this.window + streamLimits.credit, maxWindow) : streamLimits.credit;
    this.owed += next - this.window;
    this.window = next;
    this.consumed = 0;
    this.since = now;
  }
}
