// Deletes rows of one kind past the retention of their space, in batches, every hour.
import type { AnyResource } from '@yagura/core/resource/define-resource';
import type { AuditLog } from '../../audit/audit-log.ts';
import { type Clock, isoTime } from '../../common/clock.ts';
import { errorFields, type Log } from '../../common/log.ts';
import { ClockJumpGuard } from '../../common/time/clock-jump-guard.ts';
import type { ChangeBus } from '../../db/change-bus.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { tryAdvisoryLock } from '../../jobs/advisory-lock.ts';
import { PeriodicJob } from '../../jobs/periodic-job.ts';
import { runIsolatingFaults } from '../../jobs/poison-row-guard.ts';
import { PostponedRows } from '../../jobs/postponed-rows.ts';

export interface RetentionDeps {
  database: Database;
  clock: Clock;
  log: Log;
  audit: AuditLog;
  changes: ChangeBus;
  spaceId: string;
}

export interface ExpiringRows {
  /** The settings, and the table and columns that `createRetentionBehaviour` uses for them. */
  settings: AnyResource;
  table: string;
  daysColumn: string;
  totalColumn: string;
  /** What is deleted, or changed when something of it is deleted. */
  resource: AnyResource;
  op?: 'delete' | 'update';
  /** Seed of the advisory lock under which one replica at a time deletes rows of a space. */
  lockSeed: string;
  /** Maximum rows per transaction. */
  batchSize: number;
  /** Selects the `id` of expired rows: $1 space, $2 upper bound of time, $3 ids to skip, $4 maximum rows. */
  select: string;
  /** Returns the ids of the rows that were not deleted or changed before. */
  remove(tx: Transaction, ids: readonly string[]): Promise<string[]>;
  /** Called at the end of each run with the upper bound of time, or null without a retention. */
  finish?(until: string | null, isClosed: () => boolean): Promise<void>;
}

const intervalMs = 3_600_000;
const dayMs = 86_400_000;

/** A job that deletes what is expired, to be started. */
export function createRetentionJob(deps: RetentionDeps, expiring: ExpiringRows): PeriodicJob {
  const { database, clock, log, audit, changes, spaceId } = deps;
  const { settings, table, daysColumn, totalColumn, resource, op = 'delete', lockSeed, batchSize } = expiring;
  /** For the log. */
  const label = settings.noun.en[0];
  /** Rows that the database refuses to delete. */
  const postponed = new PostponedRows(clock);
  const clockJump = new ClockJumpGuard(deps, label);

  async function work(): Promise<void> {
    const { rows } = await database.query<{ days: number | null; known_at: string | null }>(
      `select ${daysColumn} as days, greatest(last_run_at, updated_at) as known_at from ${table} where space_id = $1`,
      [spaceId],
    );
    if (!clockJump.mayDelete(rows[0]?.known_at ?? null)) return;
    const now = clock.now();
    const days = rows[0]?.days ?? null;
    const until = days === null ? null : isoTime(now - days * dayMs);
    if (until !== null) await removeExpired(until);
    await expiring.finish?.(until, () => job.closed);
    if (rows[0])
      await database.query(`update ${table} set last_run_at = $2 where space_id = $1`, [
        spaceId,
        isoTime(now),
      ]);
    postponed.deleteExpired(now);
  }

  async function removeExpired(until: string): Promise<void> {
    let total = 0;
    while (!job.closed) {
      const { rows } = await database.query<{ id: string }>(expiring.select, [
        ...[spaceId, until, postponed.ids(), batchSize],
      ]);
      let removed = 0;
      await runIsolatingFaults(
        rows.map(({ id }) => id),
        async (ids) => {
          removed += await removeBatch(ids);
        },
        async (id, error) => {
          postponed.postpone(id);
          const message = `${label}: an expired row could not be deleted`;
          log({ level: 'error', message, id, ...errorFields(error) });
        },
      );
      total += removed;
      // Otherwise the rest waits for another replica, or for the next run.
      if (rows.length < batchSize || removed === 0) break;
      // Let pending requests and messages go first.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (total === 0) return;
    await audit.record({
      actor: { kind: 'server', userId: null, name: 'retention' },
      from: { address: '', userAgent: '' },
      action: 'remove-expired',
      outcome: 'done',
      resource: settings.name,
      after: { [resource.plural]: total, before: until },
    });
  }

  /** Returns how many rows were deleted; 0 if another replica holds the lock. */
  async function removeBatch(ids: readonly string[]): Promise<number> {
    const removed = await database.transaction(async (tx) => {
      if (!(await tryAdvisoryLock(database, tx, lockSeed, spaceId))) return [];
      const gone = await expiring.remove(tx, ids);
      await tx.query(`update ${table} set ${totalColumn} = ${totalColumn} + $2 where space_id = $1`, [
        spaceId,
        gone.length,
      ]);
      return gone;
    });
    const at = isoTime(clock.now());
    changes.publish(removed.map((id) => ({ spaceId, resource: resource.name, op, at, id })));
    return removed.length;
  }

  const job = new PeriodicJob({
    ...{ clock, log, intervalMs, work },
    failureMessage: `${label}: what is expired could not be deleted, will be tried again`,
  });
  return job;
}
