// Resets scopes to 0 once their recovery time after the last event has passed, in turn with the waiting triggers of
// the scope.
import type { RequestedSeverityChange } from '@yagura/core/alerthub/engine/execution/decide-batch';
import { type Clock, isoTime } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import type { Log } from '../../common/log.ts';
import type { ChangeBus } from '../../db/change-bus.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { PoisonRowGuard } from '../../jobs/poison-row-guard.ts';
import { DelayedJobTimer } from './delayed-job-timer.ts';
import { postponeRecovery } from './fail-pending.ts';

interface RecoverySchedulerDeps {
  database: Database;
  clock: Clock;
  log: Log;
  nextId: NextId;
  changes: ChangeBus;
}

/** Computes changes at the time they are applied: an event before that postpones a recovery. */
export type FindChanges = (db: Queryable, now: string) => Promise<RequestedSeverityChange[]>;

/** Applies changes that do not originate from a message. */
type ApplyChanges = (spaceId: string, find: FindChanges) => Promise<{ events: readonly unknown[] }>;

/** Maximum scopes per turn, each with all of its severities. */
const maxScopes = 100;

export class RecoveryScheduler {
  private readonly deps: RecoverySchedulerDeps;
  private readonly applyChanges: ApplyChanges;
  private readonly decideTriggers: () => Promise<boolean>;
  private currentTurn: Promise<unknown> = Promise.resolve();
  private readonly guard: PoisonRowGuard<string>;
  private readonly timer: DelayedJobTimer;

  /** `decideTriggers` decides waiting triggers that are due; it returns true if more may be. */
  constructor(
    deps: RecoverySchedulerDeps,
    applyChanges: ApplyChanges,
    decideTriggers: () => Promise<boolean>,
  ) {
    this.deps = deps;
    this.applyChanges = applyChanges;
    this.decideTriggers = decideTriggers;
    const putOff = (scopeId: string, error: unknown) => postponeRecovery(deps.database, deps, scopeId, error);
    this.guard = new PoisonRowGuard(deps.log, {
      label: 'recovery',
      maxBatchSize: maxScopes,
      work: (size, onFirst) => this.recoverBatch(size, onFirst),
      firstKey: async () => (await this.findFirstDue())?.scope_id,
      failRow: putOff,
      postpone: putOff,
      isStoreResponsive: async () => {
        await deps.database.query('select 1');
        return true;
      },
    });
    this.timer = new DelayedJobTimer(deps, {
      label: 'recovery',
      nextDueStatement: {
        name: 'next-recovery',
        text: 'select min(recovery_at) as at from scope_state where recovery_at is not null',
      },
      // Events, scope edits and removed severities change the recovery time, in this replica or another.
      watchedResources: ['scope', 'severity'],
      watchesState: true,
      work: () => this.runDue(),
    });
  }

  /**
   * Decides due triggers and recovers due scopes, in the order in which they were due in a scope. True if more may be
   * due.
   */
  runDue(): Promise<boolean> {
    const turn = this.currentTurn.then(async () => {
      // Triggers that fail do not keep other scopes from recovering.
      const [decided] = await Promise.allSettled([this.decideTriggers()]);
      const isRecoveryLeft = await this.recover();
      if (decided.status === 'rejected') throw decided.reason;
      return isRecoveryLeft || decided.value;
    });
    this.currentTurn = turn.catch(() => undefined);
    return turn;
  }

  schedule(): void {
    this.timer.schedule();
  }

  /** Resolves when no scope is due. */
  idle(): Promise<void> {
    return this.timer.idle();
  }

  close(): void {
    this.timer.close();
  }

  private async recover(): Promise<boolean> {
    if (await this.guard.runBatch()) return true;
    const { database, clock } = this.deps;
    const now = isoTime(clock.now());
    // Delete rows of removed scopes, written by a replica with outdated settings: they would be due
    // forever.
    const removed = await database.query(
      `delete from scope_state s where s.recovery_at <= $1 and not exists
         (select 1 from resource r where r.space_id = s.space_id and r.kind = 'scope' and r.id = s.scope_id)`,
      [now],
    );
    // So would a scope without anything to recover.
    const cleared = await database.query(
      `update scope_state s set recovery_at = null where s.recovery_at <= $1 and not exists
         (select 1 from severity v where v.scope_id = s.scope_id and v.value > 0)`,
      [now],
    );
    // A trigger may have waited for them.
    return Boolean(removed.rowCount) || Boolean(cleared.rowCount);
  }

  /** Resets the first due scopes of one space; true if more may be due. */
  private async recoverBatch(size: number, onFirst: (scopeId: string) => void): Promise<boolean> {
    const spaceId = (await this.findFirstDue())?.space_id;
    if (spaceId === undefined) return false;
    let asked = 0;
    const { events } = await this.applyChanges(spaceId, async (db, at) => {
      const changes = await dueChanges(db, spaceId, at, size);
      if (changes[0]) onFirst(changes[0].scopeId);
      asked = changes.length;
      return changes;
    });
    // Fail: a severity that stays unchanged would be due again immediately, forever.
    if (events.length < asked) throw new Error('a severity did not go back to 0');
    return true;
  }

  private async findFirstDue(): Promise<{ space_id: string; scope_id: string } | undefined> {
    const { database, clock } = this.deps;
    const { rows } = await database.query<{ space_id: string; scope_id: string }>(
      `select s.space_id, s.scope_id from scope_state s where s.recovery_at <= $1 and ${isRecoverable}
       order by s.recovery_at, s.scope_id limit 1`,
      [isoTime(clock.now())],
    );
    return rows[0];
  }
}

/**
 * For scope_state as `s`: the scope exists and has something to recover, and no trigger that was due before it is still to
 * be decided.
 */
const isRecoverable = `exists (select 1 from severity v where v.scope_id = s.scope_id and v.value > 0)
  and exists (select 1 from resource r where r.space_id = s.space_id and r.kind = 'scope' and r.id = s.scope_id)
  and not exists (select 1 from waiting_trigger w where w.scope_id = s.scope_id and w.due_at < s.recovery_at)`;

async function dueChanges(
  db: Queryable,
  spaceId: string,
  now: string,
  max: number,
): Promise<RequestedSeverityChange[]> {
  const { rows } = await db.query<{ scope_id: string; name: string; recovery_time: number }>(
    `select s.scope_id, v.name, (r.body->>'recoveryTime')::int as recovery_time from (
       select s.scope_id, s.recovery_at from scope_state s where s.space_id = $1 and s.recovery_at <= $2 and ${isRecoverable}
       order by s.recovery_at, s.scope_id limit $3
     ) s join severity v on v.scope_id = s.scope_id
       join resource r on r.space_id = $1 and r.kind = 'scope' and r.id = s.scope_id
     where v.value > 0 order by s.recovery_at, s.scope_id, v.name`,
    [spaceId, now, max],
  );
  return rows.map(({ scope_id, name, recovery_time }) => ({
    scopeId: scope_id,
    severityName: name,
    change: { to: 0 },
    source: 'recovery',
    cause: { kind: 'recovery', recoveryTime: recovery_time },
  }));
}
