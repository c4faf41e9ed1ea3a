// Leases on rows that one process works on for a long time: the columns `owner` and `lease_until` of the row
// itself, renewed while the process lives. An expired or released lease is null or in the past.
import { isoTime } from '../../common/clock.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { QueueWorkerDeps } from '../queue-worker.ts';
import { updateRows } from '../update-rows.ts';

/** Tables with leased rows, and their primary keys. */
export const leasedTables = {
  bulk_export: 'export_id',
  bulk_import: 'import_id',
  pigeon_chain: 'result_id',
  task: 'task_id',
};
export type LeasedTable = keyof typeof leasedTables;

/** Releases the leases on a table: those of `owner`, or all with null. */
export async function releaseRowLeases(
  deps: Pick<QueueWorkerDeps, 'database' | 'log'>,
  table: LeasedTable,
  owner: string | null,
): Promise<void> {
  const where = 'lease_until is not null and ($1::text is null or owner = $1)';
  await updateRows(deps, {
    ...{ table, key: leasedTables[table], where, whereValues: [owner] },
    set: 'lease_until = null',
  });
}

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
  deps: Pick<QueueWorkerDeps, 'database' | 'log'>,
  table: LeasedTable,
): Promise<void> {
  if (deps.database.kind === 'embedded') await releaseRowLeases(deps, table, null);
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
    const { clock, log } = deps;
    this.renewal = new PeriodicJob({
      ...{ clock, log },
      intervalMs: renewIntervalMs,
      failureMessage: 'leases were not renewed',
      work: () => this.setEnd(this.end()),
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
    await this.setEnd(null);
  }

  /** End of a lease that begins or is renewed now, ISO 8601. */
  end(): string {
    return isoTime(this.deps.clock.now() + rowLeaseMs);
  }

  private async setEnd(end: string | null): Promise<void> {
    const { deps, table, owner } = this;
    const key = leasedTables[table];
    const set = 'lease_until = $2';
    await updateRows(deps, { table, key, where: 'owner = $1', whereValues: [owner], set, setValues: [end] });
  }
}
