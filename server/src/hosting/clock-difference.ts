// Tells when the clock of this server differs from that of the database. Servers that share a database compare times that
// others have written: the end of a lease, and what is due.
import type { Clock } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
import type { Database } from '../db/database.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';

const intervalMs = 60_000;
/** Milliseconds that are tolerated. */
const toleratedMs = 2_000;
/** Milliseconds after which a difference that remains is logged again. */
const reminderMs = 60 * 60_000;

interface ClockDifferenceDeps {
  database: Pick<Database, 'kind' | 'query'>;
  clock: Clock;
  log: Log;
  /** Called with each measured difference in seconds, positive if this server is ahead; null if it could not be measured. */
  onMeasured(seconds: number | null): void;
}

export class ClockDifference {
  private readonly deps: ClockDifferenceDeps;
  private readonly job: PeriodicJob;
  /** In milliseconds since the Unix epoch; undefined while the clocks agree. */
  private loggedAt: number | undefined;

  constructor(deps: ClockDifferenceDeps) {
    this.deps = deps;
    const { clock, log } = deps;
    this.job = new PeriodicJob({
      ...{ clock, log, intervalMs },
      failureMessage: 'the clock was not compared with that of the database, will be tried again',
      work: () => this.measure(),
    });
  }

  /** The embedded database uses the clock of this server. */
  start(): void {
    if (this.deps.database.kind === 'embedded') return;
    this.job.start();
    void this.job.runNow();
  }

  runNow(): Promise<void> {
    return this.job.runNow();
  }

  close(): Promise<void> {
    return this.job.close();
  }

  private async measure(): Promise<void> {
    const { database, clock, log, onMeasured } = this.deps;
    const asked = clock.now();
    const { rows } = await database
      .query<{ now: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as now')
      .catch((error: unknown) => {
        onMeasured(null);
        throw error;
      });
    const answered = clock.now();
    const difference = (asked + answered) / 2 - rows[0]!.now;
    onMeasured(difference / 1000);
    // The database has read its clock at any time meanwhile.
    const certain = Math.abs(difference) - (answered - asked) / 2;
    if (certain <= toleratedMs) this.loggedAt = undefined;
    else if (this.loggedAt === undefined || answered - this.loggedAt >= reminderMs) {
      this.loggedAt = answered;
      const direction = difference > 0 ? 'ahead of' : 'behind';
      const message = `the clock of this server is ${direction} that of the database; synchronize both, as leases and due times are compared between servers`;
      log({ level: 'warn', message, seconds: Math.round(Math.abs(difference) / 1000) });
    }
  }
}
