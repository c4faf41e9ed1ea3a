// Leases on rows that one process works on for a long time: the columns `owner` and `lease_until` of the row
// itself, renewed while the process lives. An expired or released lease is null or in the past.
import { isoTime } from '../common/clock.ts';
import type { Queryable } from '../db/database.ts';
import type { JobQueueDeps } from './job-queue.ts';
import { PeriodicJob } from './periodic-job.ts';
import type { QueueWorkerDeps } from './queue-worker.ts';

export type LeasedTable = 'bulk_export' | 'bulk_import' | 'pigeon_chain' | 'task';

/** Lease duration in milliseconds; a lease is renewed long before it expires. */
export const rowLeaseMs = 30_000;
const renewIntervalMs = 10_000;

/** Condition on a row whose lease has run out; `now` is a parameter with the time. */
export function leaseExpiredSql(now: string): string {
  return `(lease_until is null or lease_until < ${now})`;
}

/**
 * At startup: on the embedded engine no other process can hold a lease, so leases of a dead process are
 * released at once.
 */
export async function freeRowLeases(
  { database }: Pick<JobQueueDeps, 'database'>,
  table: LeasedTable,
): Promise<void> {
  if (database.kind !== 'embedded') return;
  await database.query(`update ${table} set lease_until = null where lease_until is not null`);
}

/** The leases of this process on a table. */
export class RowLeases {
  readonly owner: string;
  private readonly deps: QueueWorkerDeps;
  private readonly table: LeasedTable;
  private readonly renewal: PeriodicJob;

  constructor(deps: QueueWorkerDeps, table: LeasedTable) {
    this.owner = deps.instance;
    this.deps = deps;
    this.table = table;
    const { database, clock, log } = deps;
    this.renewal = new PeriodicJob({
      ...{ clock, log },
      intervalMs: renewIntervalMs,
      failureMessage: 'leases were not renewed',
      work: () => this.setEnd(database, this.end()),
    });
  }

  async start(): Promise<void> {
    await freeRowLeases(this.deps, this.table);
    this.renewal.start();
  }

  /** Resolves when no renewal is in progress. */
  idle(): Promise<void> {
    return this.renewal.idle();
  }

  /** Another process continues at once with what this one has left. */
  async close(): Promise<void> {
    await this.renewal.close();
    await this.setEnd(this.deps.database, null);
  }

  /** End of a lease that begins or is renewed now, ISO 8601. */
  end(): string {
    return isoTime(this.deps.clock.now() + rowLeaseMs);
  }

  private async setEnd(db: Queryable, end: string | null): Promise<void> {
    await db.query(`update ${this.table} set lease_until = $1 where owner = $2`, [end, this.owner]);
  }
}
