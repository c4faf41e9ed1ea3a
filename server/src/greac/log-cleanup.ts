// Deletes the logs of closed sessions past the retention of their space. A session is marked first, from when on its logs
// cannot be read; then its chunks go in batches, so that a long recording does not hold up the database.
import { logRetention } from '@yagura/core/greac/log-retention';
import { session } from '@yagura/core/greac/session';
import type { AuditLog } from '../audit/audit-log.ts';
import { type Clock, isoTime } from '../common/clock.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { ChangeBus } from '../db/change-bus.ts';
import type { Database, Transaction } from '../db/database.ts';
import { tryAdvisoryLock } from '../jobs/advisory-lock.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';
import { runIsolatingFaults } from '../jobs/poison-row-guard.ts';
import { PostponedRows } from '../jobs/postponed-rows.ts';

export interface LogCleanupDeps {
  database: Database;
  clock: Clock;
  log: Log;
  audit: AuditLog;
  changes: ChangeBus;
  spaceId: string;
  limits?: Partial<typeof defaultLimits>;
}

const defaultLimits = {
  /** Sessions whose logs are deleted in one run. */
  sessions: 500,
  /** Chunks (at most 256 KiB each) that are deleted in one transaction. */
  batch: 100,
  /** Chunks that are deleted in one run; the next one goes on. */
  chunks: 20_000,
};
const intervalMs = 3_600_000;
const dayMs = 86_400_000;
/** Seed of the advisory lock under which one replica at a time deletes logs of a space. */
const lockSeed = '5120947732660914287';

export class LogCleanup {
  private readonly deps: LogCleanupDeps;
  private readonly limits: typeof defaultLimits;
  private readonly job: PeriodicJob;
  /** Sessions that the database refuses to change. */
  private readonly postponed: PostponedRows;

  constructor(deps: LogCleanupDeps) {
    this.deps = deps;
    this.limits = { ...defaultLimits, ...deps.limits };
    const { clock, log } = deps;
    this.postponed = new PostponedRows(clock);
    this.job = new PeriodicJob({
      ...{ clock, log, intervalMs },
      failureMessage: 'expired session logs could not be deleted, will be tried again',
      work: () => this.work(),
    });
  }

  start(): void {
    this.job.start();
  }

  /** Deletes what is expired now, as far as one run goes. */
  runNow(): Promise<void> {
    return this.job.runNow();
  }

  close(): Promise<void> {
    return this.job.close();
  }

  private async work(): Promise<void> {
    const { database, clock, spaceId } = this.deps;
    const { rows } = await database.query<{ log_days: number | null }>(
      'select log_days from greac_log_retention where space_id = $1',
      [spaceId],
    );
    const settings = rows[0];
    if (!settings) return;
    const now = clock.now();
    if (settings.log_days !== null) await this.markExpired(isoTime(now - settings.log_days * dayMs));
    await this.deleteMarked();
    await database.query('update greac_log_retention set last_run_at = $2 where space_id = $1', [
      spaceId,
      isoTime(now),
    ]);
    this.postponed.deleteExpired(now);
  }

  /** Marks sessions that ended before this time; their logs cannot be read any more. */
  private async markExpired(until: string): Promise<void> {
    const { database, clock, audit, changes, spaceId } = this.deps;
    const { rows } = await database.query<{ session_id: string }>(
      `select s.session_id from greac_session s
       where s.space_id = $1 and s.status = 'closed' and s.logs_deleted_at is null and s.closed_at < $2
         and (exists (select 1 from greac_log_chunk c where c.session_id = s.session_id)
           or exists (select 1 from greac_log_seal l where l.session_id = s.session_id)
           or exists (select 1 from greac_log_end e where e.session_id = s.session_id))
         and s.session_id <> all($3::uuid[])
       order by s.closed_at limit $4`,
      [spaceId, until, this.postponed.ids(), this.limits.sessions],
    );
    const at = isoTime(clock.now());
    const marked: string[] = [];
    await this.isolating(
      rows.map((row) => row.session_id),
      async (some) => {
        marked.push(...(await database.transaction((tx) => this.mark(tx, some, at))));
      },
    );
    if (marked.length === 0) return;
    changes.publish(marked.map((id) => ({ spaceId, resource: session.name, op: 'update', at, id })));
    await audit.record({
      actor: { kind: 'server', userId: null, name: 'log retention' },
      from: { address: '', userAgent: '' },
      action: 'remove-expired',
      outcome: 'done',
      resource: logRetention.name,
      after: { sessions: marked.length, closedBefore: until },
    });
  }

  private async mark(tx: Transaction, sessionIds: readonly string[], at: string): Promise<string[]> {
    const { database, spaceId } = this.deps;
    if (!(await tryAdvisoryLock(database, tx, lockSeed, spaceId))) return [];
    const { rows } = await tx.query<{ session_id: string }>(
      `update greac_session set logs_deleted_at = $2, logs_leaving = true, updated_at = $2, version = version + 1
       where session_id = any($1::uuid[]) and logs_deleted_at is null returning session_id`,
      [sessionIds, at],
    );
    await tx.query(
      'update greac_log_retention set removed_sessions = removed_sessions + $2 where space_id = $1',
      [spaceId, rows.length],
    );
    return rows.map((row) => row.session_id);
  }

  private async deleteMarked(): Promise<void> {
    const { database, spaceId } = this.deps;
    const { rows } = await database.query<{ session_id: string }>(
      `select session_id from greac_session where space_id = $1 and logs_leaving and session_id <> all($2::uuid[])
       order by session_id limit $3`,
      [spaceId, this.postponed.ids(), this.limits.sessions],
    );
    let left = this.limits.chunks;
    for (const { session_id: sessionId } of rows)
      await this.isolating([sessionId], async () => {
        while (left > 0 && !this.job.closed) {
          const size = Math.min(this.limits.batch, left);
          const deleted = await database.transaction((tx) => this.deleteBatch(tx, sessionId, size));
          left -= deleted;
          if (deleted < size) return;
          // Let pending requests and messages go first.
          await new Promise((resolve) => setImmediate(resolve));
        }
      });
  }

  /** Returns how many chunks were deleted; the seals and ends go with the last of them. */
  private async deleteBatch(tx: Transaction, sessionId: string, size: number): Promise<number> {
    const { database, spaceId } = this.deps;
    if (!(await tryAdvisoryLock(database, tx, lockSeed, spaceId))) return 0;
    const { rowCount } = await tx.query(
      `delete from greac_log_chunk where session_id = $1 and (kind, part, chunk) in (
         select kind, part, chunk from greac_log_chunk where session_id = $1 order by kind, part, chunk limit $2)`,
      [sessionId, size],
    );
    if (rowCount! < size) {
      await tx.query('delete from greac_log_seal where session_id = $1', [sessionId]);
      await tx.query('delete from greac_log_end where session_id = $1', [sessionId]);
      await tx.query('update greac_session set logs_leaving = false where session_id = $1', [sessionId]);
    }
    return rowCount!;
  }

  /** Sessions that the database refuses to change are left alone for a while, and the others go on. */
  private isolating(
    sessionIds: readonly string[],
    work: (sessionIds: readonly string[]) => Promise<void>,
  ): Promise<void> {
    return runIsolatingFaults(sessionIds, work, async (id, error) => {
      this.postponed.postpone(id);
      const message = 'the logs of a session could not be deleted';
      this.deps.log({ level: 'error', message, id, ...errorFields(error) });
    });
  }
}
