// The leases of the jobs that this process works on or has taken over, renewed while it lives: however long an
// attempt takes, no other process repeats it meanwhile.
import { isoTime } from '../../common/clock.ts';
import { errorFields, type Log } from '../../common/log.ts';
import { type JobQueueDeps, leaseMs } from '../job-queue.ts';
import { PeriodicJob } from '../periodic-job.ts';
import { runIsolatingFaults } from '../poison-row-guard.ts';

/** Milliseconds between renewals. Most jobs end before the first one and cost no further statement. */
const renewIntervalMs = 20_000;
/** Milliseconds that a lease must still last when an attempt begins, in case that it cannot be renewed. */
const minRemainingMs = leaseMs / 2;

/**
 * Does not wait for a row that is locked, because it is being settled: the other statement locks rows in another order.
 */
const renewStatement = {
  name: 'renew-jobs',
  text: `update job set run_at = $1 where id = any(array(
      select id from job where id = any($2::bigint[]) and locked_by = $3 for update skip locked))
    returning id::text as id`,
};

export class JobLeases {
  private readonly deps: JobQueueDeps & { log: Log };
  /** Job ids and the ends of their leases, in milliseconds since the Unix epoch. */
  private readonly ends = new Map<string, number>();
  private readonly renewal: PeriodicJob;

  /** `onRenewed` is called after each renewal with the ids that this process does not hold any more. */
  constructor(deps: JobLeases['deps'], onRenewed: (lost: ReadonlySet<string>) => void = () => undefined) {
    this.deps = deps;
    const { clock, log } = deps;
    this.renewal = new PeriodicJob({
      ...{ clock, log },
      intervalMs: renewIntervalMs,
      failureMessage: 'leases of jobs were not renewed, will be tried again',
      work: async () => onRenewed(await this.renewOld()),
    });
  }

  /** Ids of all jobs held, which must not be claimed a second time even if their lease has ended. */
  get ids(): string[] {
    return [...this.ends.keys()];
  }

  start(): void {
    this.renewal.start();
  }

  /** Renews leases that do not last for an attempt, instead of at the next interval. */
  renewNow(): Promise<void> {
    return this.renewal.runNow();
  }

  /** Stops renewing; the leases remain until they end or the jobs are settled. */
  close(): Promise<void> {
    return this.renewal.close();
  }

  /** Adds jobs that were leased at that time, in milliseconds since the Unix epoch. */
  hold(ids: Iterable<string>, leasedAt: number): void {
    for (const id of ids) this.ends.set(id, leasedAt + leaseMs);
  }

  /** Stops renewing the leases of jobs that were settled or returned. */
  release(ids: Iterable<string>): void {
    for (const id of ids) this.ends.delete(id);
  }

  /** Whether the lease of a job lasts for an attempt. */
  coversAttempt(id: string): boolean {
    return (this.ends.get(id) ?? 0) - this.deps.clock.now() >= minRemainingMs;
  }

  /** Returns the ids that are not held any more. */
  private async renewOld(): Promise<Set<string>> {
    const { database, clock, instance, log } = this.deps;
    const end = clock.now() + leaseMs;
    const old = [...this.ends].flatMap(([id, until]) => (end - until >= renewIntervalMs ? [id] : []));
    const lost = new Set(old);
    await runIsolatingFaults(
      old,
      async (some) => {
        const { rows } = await database.query<{ id: string }>(renewStatement, [isoTime(end), some, instance]);
        for (const { id } of rows) {
          lost.delete(id);
          // Not if it was released meanwhile.
          if (this.ends.has(id)) this.ends.set(id, end);
        }
      },
      async (id, error) =>
        log({ level: 'error', message: 'the lease of a job was refused', id, ...errorFields(error) }),
    );
    return lost;
  }
}
