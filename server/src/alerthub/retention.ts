// Removes what a space keeps no longer, in small batches; counts by hour stay, and so does whatever something still waits for.
import { retentionSettings } from '@yagura/core/alerthub/retention-settings';
import type { AuditLog } from '../audit/audit-log.ts';
import { type Clock, isoTime } from '../clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import { PeriodicJob } from '../jobs/rounds.ts';
import { RowGuard } from '../jobs/row-guard.ts';
import { tryAdvisoryLock } from '../jobs/take-turn.ts';
import type { Log } from '../log.ts';
import { type Expired, expiredKinds, firstExpired, removeExpired } from './expired.ts';

export interface RetentionDeps {
  database: Database;
  clock: Clock;
  log: Log;
  audit: AuditLog;
  spaceId: string;
}

const pollIntervalMs = 3_600_000;
const failure = 'what is too old could not be removed, will be tried again';
const dayMs = 86_400_000;
/** Rows of one transaction. */
const batchSize = 500;
/** Rows of one kind that are passed over in one look. */
const maxPassedOver = 100;
/** One replica at a time removes what is of a space. */
const turnSeed = '7810774121093153903';

type Removed = Record<Expired, number>;

export class Retention {
  private readonly deps: RetentionDeps;
  private readonly rounds: PeriodicJob;

  constructor(deps: RetentionDeps) {
    this.deps = deps;
    const { clock, log } = deps;
    this.rounds = new PeriodicJob({
      clock,
      log,
      intervalMs: pollIntervalMs,
      failure,
      work: () => this.work(),
    });
  }

  start(): void {
    this.rounds.start();
  }

  /** Removes what is too old now. */
  look(): Promise<void> {
    return this.rounds.look();
  }

  close(): Promise<void> {
    return this.rounds.close();
  }

  private async work(): Promise<void> {
    const { database, clock, audit, spaceId } = this.deps;
    const { rows } = await database.query<{ message_days: number | null; history_days: number | null }>(
      'select message_days, history_days from retention where space_id = $1',
      [spaceId],
    );
    const settings = rows[0];
    if (!settings) return;
    const before = {
      messages: cutoff(clock.now(), settings.message_days),
      history: cutoff(clock.now(), settings.history_days),
    };
    const removed: Removed = { messages: 0, events: 0, actionRecords: 0, runbookRecords: 0 };
    for (const kind of expiredKinds) {
      const until = kind === 'messages' ? before.messages : before.history;
      if (until === null) continue;
      const guard = this.guardOf(kind, until, (count) => {
        removed[kind] += count;
      });
      while (!this.rounds.closed && (await guard.turn())) {
        // Calls and messages that wait for the store go first.
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

  /** A row that cannot be removed stays until the next look, and the ones behind it go. */
  private guardOf(kind: Expired, until: string, removed: (count: number) => void): RowGuard<string> {
    const { database, log, spaceId } = this.deps;
    const without: string[] = [];
    const passOver = async (id: string) => {
      without.push(id);
      if (without.length > maxPassedOver) throw new Error(`too many ${kind} cannot be removed`);
    };
    return new RowGuard(log, {
      what: `removing ${kind}`,
      most: batchSize,
      work: async (size) => {
        const count = await database.transaction((tx) =>
          this.batch(tx, kind, { until, most: size, without }),
        );
        removed(count);
        return count === size;
      },
      first: () => firstExpired(database, kind, { spaceId, until, without }),
      fail: passOver,
      setAside: passOver,
      answers: async () => (await database.query('select 1')).rows.length > 0,
    });
  }

  /** Removes some of one kind and counts them; 0 when another replica is at it. */
  private async batch(
    tx: Transaction,
    kind: Expired,
    rows: { until: string; most: number; without: readonly string[] },
  ): Promise<number> {
    const { database, spaceId } = this.deps;
    if (!(await tryAdvisoryLock(database, tx, turnSeed, spaceId))) return 0;
    const count = await removeExpired(tx, kind, { spaceId, ...rows });
    const column =
      kind === 'actionRecords' || kind === 'runbookRecords' ? 'removed_records' : `removed_${kind}`;
    await tx.query(`update retention set ${column} = ${column} + $2 where space_id = $1`, [spaceId, count]);
    return count;
  }
}

/** ISO 8601; null when nothing is ever too old. */
function cutoff(now: number, days: number | null): string | null {
  return days === null ? null : isoTime(now - days * dayMs);
}
