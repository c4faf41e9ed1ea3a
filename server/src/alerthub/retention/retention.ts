// Deletes data past its retention in small batches. Hourly counts and rows still referenced by pending work
// are kept.
import { retentionSettings } from '@yagura/core/alerthub/retention-settings';
import type { AuditLog } from '../../audit/audit-log.ts';
import { type Clock, isoTime } from '../../common/clock.ts';
import type { Log } from '../../common/log.ts';
import { ClockJumpGuard } from '../../common/time/clock-jump-guard.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { tryAdvisoryLock } from '../../jobs/advisory-lock.ts';
import { PeriodicJob } from '../../jobs/periodic-job.ts';
import { PoisonRowGuard } from '../../jobs/poison-row-guard.ts';
import { type ExpiredKind, expiredKinds, findFirstExpired, removeExpired } from './expired-rows.ts';

export interface RetentionDeps {
  database: Database;
  clock: Clock;
  log: Log;
  audit: AuditLog;
  spaceId: string;
}

const pollIntervalMs = 3_600_000;
const failureMessage = 'what is too old could not be removed, will be tried again';
const dayMs = 86_400_000;
/** Maximum rows per transaction. */
const batchSize = 500;
/** Maximum rows of one kind that are skipped per run. */
const maxSkippedRows = 100;
/** Seed of the advisory lock under which one replica at a time deletes rows of a space. */
const lockSeed = '7810774121093153903';

type RemovedCounts = Record<ExpiredKind, number>;

export class Retention {
  private readonly deps: RetentionDeps;
  private readonly job: PeriodicJob;
  private readonly clockJump: ClockJumpGuard;

  constructor(deps: RetentionDeps) {
    this.deps = deps;
    const { clock, log } = deps;
    this.clockJump = new ClockJumpGuard(deps, retentionSettings.noun.en[0]);
    this.job = new PeriodicJob({
      clock,
      log,
      intervalMs: pollIntervalMs,
      failureMessage,
      work: () => this.work(),
    });
  }

  start(): void {
    this.job.start();
  }

  /** Deletes everything that is expired now. */
  runNow(): Promise<void> {
    return this.job.runNow();
  }

  close(): Promise<void> {
    return this.job.close();
  }

  private async work(): Promise<void> {
    const { database, clock, audit, spaceId } = this.deps;
    const { rows } = await database.query<{
      message_days: number | null;
      history_days: number | null;
      known_at: string | null;
    }>(
      'select message_days, history_days, greatest(last_run_at, updated_at) as known_at from retention where space_id = $1',
      [spaceId],
    );
    const settings = rows[0];
    if (!settings || !this.clockJump.mayDelete(settings.known_at)) return;
    const before = {
      messages: cutoffTime(clock.now(), settings.message_days),
      history: cutoffTime(clock.now(), settings.history_days),
    };
    const removed: RemovedCounts = { messages: 0, events: 0, actionRecords: 0, runbookRecords: 0 };
    for (const kind of expiredKinds) {
      const until = kind === 'messages' ? before.messages : before.history;
      if (until === null) continue;
      const guard = this.createGuard(kind, until, (count) => {
        removed[kind] += count;
      });
      while (!this.job.closed && (await guard.runBatch())) {
        // Let pending requests and messages go first.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await database.query('update retention set last_run_at = $2 where space_id = $1', [
      spaceId,
      isoTime(clock.now()),
    ]);
    if (Object.values(removed).every((count) => count === 0)) return;
    await audit.record({
      actor: { kind: 'server', userId: null, name: 'retention' },
      from: { address: '', userAgent: '' },
      action: 'remove-expired',
      outcome: 'done',
      resource: retentionSettings.name,
      after: { ...removed, messagesBefore: before.messages, historyBefore: before.history },
    });
  }

  /** A row that cannot be deleted is skipped until the next run, so that it does not block the others. */
  private createGuard(
    kind: ExpiredKind,
    until: string,
    removed: (count: number) => void,
  ): PoisonRowGuard<string> {
    const { database, log, spaceId } = this.deps;
    const excludedIds: string[] = [];
    const skipRow = async (id: string) => {
      excludedIds.push(id);
      if (excludedIds.length > maxSkippedRows) throw new Error(`too many ${kind} cannot be removed`);
    };
    return new PoisonRowGuard(log, {
      label: `removing ${kind}`,
      maxBatchSize: batchSize,
      work: async (size) => {
        const count = await database.transaction((tx) =>
          this.removeBatch(tx, kind, { until, limit: size, excludedIds }),
        );
        removed(count);
        // Large messages are removed in smaller batches.
        return count > 0;
      },
      firstKey: () => findFirstExpired(database, kind, { spaceId, until, excludedIds }),
      failRow: skipRow,
      postpone: skipRow,
      isStoreResponsive: async () => (await database.query('select 1')).rows.length > 0,
    });
  }

  /** Deletes a batch of one kind and counts it; 0 if another replica holds the lock. */
  private async removeBatch(
    tx: Transaction,
    kind: ExpiredKind,
    rows: { until: string; limit: number; excludedIds: readonly string[] },
  ): Promise<number> {
    const { database, spaceId } = this.deps;
    if (!(await tryAdvisoryLock(database, tx, lockSeed, spaceId))) return 0;
    const count = await removeExpired(tx, kind, { spaceId, ...rows });
    const column =
      kind === 'actionRecords' || kind === 'runbookRecords' ? 'removed_records' : `removed_${kind}`;
    await tx.query(`update retention set ${column} = ${column} + $2 where space_id = $1`, [spaceId, count]);
    return count;
  }
}

/** ISO 8601; null if retention is unlimited. */
function cutoffTime(now: number, days: number | null): string | null {
  return days === null ? null : isoTime(now - days * dayMs);
}
