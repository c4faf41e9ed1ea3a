// Releases the leases of processes that have died, long before they expire. Each process on a PostgreSQL server
// holds a lock for as long as it is connected; a process is dead when nobody has held its lock for a while.
import { isoTime } from '../../common/clock.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { QueueWorkerDeps } from '../queue-worker.ts';
import { updateRows } from '../update-rows.ts';
import { type LeasedTable, leasedTables, releaseRowLeases } from './row-leases.ts';

const checkIntervalMs = 5_000;
/** A process that has lost its connection has this long to connect again. */
export const deadAfterMs = 10_000;
/** Seed of the advisory lock that a process holds while it is connected; the key is its instance id. */
const presenceSeed = '7810774121093153911';

const tables = Object.keys(leasedTables) as LeasedTable[];
/**
 * Owners of leases whose locks nobody holds. They are looked up rather than tried: replicas that try the same lock at
 * the same moment would take each other for its holder.
 */
const absentOwnersSql = `
  select owner from (${[
    'select locked_by as owner from job where locked_by is not null',
    ...tables.map(
      (table) => `select owner from ${table} where lease_until is not null and owner is not null`,
    ),
  ].join(' union ')}) leased
  where not exists (
    select 1 from pg_locks
    where locktype = 'advisory' and granted and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) | objid::bigint = hashtextextended(owner, ${presenceSeed})
  )`;

export class AbandonedLeases {
  private readonly deps: QueueWorkerDeps;
  private readonly job: PeriodicJob;
  /** Since when each process has been seen without its lock, in milliseconds since 1970. */
  private absentSince = new Map<string, number>();

  constructor(deps: QueueWorkerDeps) {
    const { clock, log } = deps;
    this.deps = deps;
    this.job = new PeriodicJob({
      ...{ clock, log },
      intervalMs: checkIntervalMs,
      failureMessage: 'leases of dead processes could not be released, will be tried again',
      work: () => this.work(),
    });
  }

  /** Announces this process before it leases anything. */
  async start(): Promise<void> {
    const { database, instance } = this.deps;
    // On the embedded engine there is no other process.
    if (!database.holdLock) return;
    await database.holdLock(presenceSeed, instance);
    this.job.start();
  }

  runNow(): Promise<void> {
    return this.job.runNow();
  }

  close(): Promise<void> {
    return this.job.close();
  }

  private async work(): Promise<void> {
    const { database, clock, instance, log } = this.deps;
    const { rows } = await database.query<{ owner: string }>(absentOwnersSql);
    const absentSince = new Map<string, number>();
    for (const { owner } of rows) {
      if (owner === instance) continue;
      const since = this.absentSince.get(owner) ?? clock.now();
      absentSince.set(owner, since);
      if (clock.now() - since < deadAfterMs) continue;
      log({ level: 'warn', message: 'another server has died; its work continues here', instance: owner });
      await this.release(owner);
      // Rows that could not be released are left until their leases expire.
      absentSince.set(owner, Number.POSITIVE_INFINITY);
    }
    this.absentSince = absentSince;
  }

  private async release(owner: string): Promise<void> {
    const { clock } = this.deps;
    await updateRows(this.deps, {
      ...{ table: 'job', key: 'id', where: 'locked_by = $1', whereValues: [owner] },
      ...{ set: 'run_at = $2, locked_by = null', setValues: [isoTime(clock.now())] },
    });
    for (const table of tables) await releaseRowLeases(this.deps, table, owner);
  }
}
