// How far the clock of this machine is from that of the space, so that ages of its times are right.

/** Differences up to this many milliseconds are put down to the network and to the whole seconds of the header. */
const toleranceMs = 5000;

export class ClockSkew {
  /** Positive when the clock of this machine is ahead. */
  milliseconds = 0;

  /** Takes the Date header of a reply (RFC 9110 section 6.6.1) that arrived at `now`. */
  note(date: string | null, now: number): void {
    const skew = now - Date.parse(date ?? '');
    if (!Number.isNaN(skew)) this.milliseconds = Math.abs(skew) <= toleranceMs ? 0 : skew;
  }
}

/** The time at the space, as its last reply told; the time of this machine before that. */
export function serverNow({ clockSkew, now }: { clockSkew: ClockSkew; now(): number }): number {
  return now() - clockSkew.milliseconds;
}
