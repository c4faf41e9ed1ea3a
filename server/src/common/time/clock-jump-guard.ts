// Keeps a wrong clock from deleting everything: after a jump into the future, what would be deleted is kept for a while.
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

const dayMs = 86_400_000;
/** Days without a run after which the clock is rather wrong than the server was off. */
export const wrongGapDays = 180;
/** The clock must stay there this long before anything is deleted. */
export const clockJumpWaitMs = dayMs;
/** Days without a run after which the clock may be wrong until the network has set it, as after a power failure. */
const longGapDays = 2;
const longGapWaitMs = 3_600_000;

export class ClockJumpGuard {
  private readonly deps: { clock: Clock; log: Log };
  /** What is deleted, for the log. */
  private readonly label: string;
  private readonly maxGapDays: number;
  /** Since when the clock is far ahead of the last run, in milliseconds since 1970. */
  private aheadSince: number | undefined;

  /** `maxGapDays` is the longest gap after which data may be deleted at once. */
  constructor(deps: { clock: Clock; log: Log }, label: string, maxGapDays = longGapDays) {
    this.deps = deps;
    this.label = label;
    this.maxGapDays = maxGapDays;
  }

  /** Whether expired data may be deleted now; `lastRunAt` (ISO 8601) is when the clock was last known to be right. */
  mayDelete(lastRunAt: string | null): boolean {
    const now = this.deps.clock.now();
    const gapDays = lastRunAt === null ? 0 : Math.floor((now - Date.parse(lastRunAt)) / dayMs);
    if (gapDays <= this.maxGapDays) {
      this.aheadSince = undefined;
      return true;
    }
    const waitMs = gapDays > wrongGapDays ? clockJumpWaitMs : longGapWaitMs;
    if (this.aheadSince === undefined || now < this.aheadSince) {
      this.aheadSince = now;
      const time = waitMs === clockJumpWaitMs ? 'a day' : 'an hour';
      this.deps.log({
        level: 'warn',
        message: `${this.label}: the clock is far ahead of the last run; nothing is deleted for ${time}, in case it is wrong`,
        days: gapDays,
      });
    }
    return now - this.aheadSince >= waitMs;
  }
}
