// Keeps a wrong clock from deleting everything: after a jump into the future, what would be deleted is kept for a day.
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

const dayMs = 86_400_000;
/** Days without a run after which the clock is rather wrong than the server was off. */
const maxGapDays = 180;
/** The clock must stay there this long before anything is deleted. */
export const clockJumpWaitMs = dayMs;

export class ClockJumpGuard {
  private readonly deps: { clock: Clock; log: Log };
  /** What is deleted, for the log. */
  private readonly label: string;
  /** Since when the clock is far ahead of the last run, in milliseconds since 1970. */
  private aheadSince: number | undefined;

  constructor(deps: { clock: Clock; log: Log }, label: string) {
    this.deps = deps;
    this.label = label;
  }

  /** Whether expired data may be deleted now; `lastRunAt` (ISO 8601) is when the clock was last known to be right. */
  mayDelete(lastRunAt: string | null): boolean {
    const now = this.deps.clock.now();
    const gapDays = lastRunAt === null ? 0 : Math.floor((now - Date.parse(lastRunAt)) / dayMs);
    if (gapDays <= maxGapDays) {
      this.aheadSince = undefined;
      return true;
    }
    if (this.aheadSince === undefined || now < this.aheadSince) {
      this.aheadSince = now;
      this.deps.log({
        level: 'warn',
        message: `${this.label}: the clock is far ahead of the last run; nothing is deleted for a day, in case it is wrong`,
        days: gapDays,
      });
    }
    return now - this.aheadSince >= clockJumpWaitMs;
  }
}
