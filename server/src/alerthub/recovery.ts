// Scopes whose recovery time has passed since their last event go back to 0.
import type { RequestedChange } from '@yagura/core/alerthub/decide/decide';
import { type Clock, isoTime } from '../clock.ts';
import type { Database, Queryable } from '../db/database.ts';
import type { NextId } from '../id.ts';
import { RowGuard } from '../jobs/row-guard.ts';
import { errorFacts, type Log } from '../log.ts';
import type { ChangeBus } from '../resource/change-bus.ts';
import { putOffRecovery } from './give-up.ts';

interface RecoveryDeps {
  database: Database;
  clock: Clock;
  log: Log;
  nextId: NextId;
  changes: ChangeBus;
}

/** Finds changes when their turn has come: an event that comes before it puts a recovery off. */
export type FindChanges = (db: Queryable, now: string) => Promise<RequestedChange[]>;

/** Applies changes that come from no message. */
type Change = (spaceId: string, find: FindChanges) => Promise<{ events: readonly unknown[] }>;

/** Scopes that recover in one turn, each with all of its severities. */
const maxScopes = 100;

/** Sleeps no longer than this, in milliseconds: another server's clock may differ. */
const maxSleepMs = 3_600_000;
const afterFailure = 5000;

export class Recovery {
  private readonly deps: RecoveryDeps;
  private readonly change: Change;
  private readonly guard: RowGuard<string>;
  private cancelTimer: (() => void) | undefined;
  private closed = false;

  constructor(deps: RecoveryDeps, change: Change) {
    this.deps = deps;
    this.change = change;
    const putOff = (scopeId: string, error: unknown) => putOffRecovery(deps.database, deps, scopeId, error);
    this.guard = new RowGuard(deps.log, {
      what: 'recovery',
      most: maxScopes,
      work: (size, took) => this.recoverSome(size, took),
      first: () => this.first(),
      fail: putOff,
      setAside: putOff,
      answers: async () => {
        await deps.database.query('select 1');
        return true;
      },
    });
    deps.changes.listen((list) => {
      // Events, edits of a scope and removed severities all move the time of recovery, here or in another replica.
      if (list.some(({ resource }) => resource === 'scope' || resource === 'severity')) this.plan();
    });
  }

  start(): void {
    this.plan();
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
  }

  /** Wakes when the next scope is due. */
  private plan(): void {
    this.wakeAfter(undefined);
    if (this.closed) return;
    this.deps.database
      .query<{ at: string | null }>({
        name: 'next-recovery',
        text: 'select min(recovery_at) as at from scope_state where recovery_at is not null',
      })
      .then(({ rows }) => {
        const at = rows[0]?.at;
        if (at) this.wakeAfter(Date.parse(at) - this.deps.clock.now(), () => void this.recover());
      })
      .catch(() => this.wakeAfter(5000, () => this.plan()));
  }

  private wakeAfter(delay: number | undefined, work: () => void = () => {}): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    if (delay === undefined || this.closed) return;
    this.cancelTimer = this.deps.clock.after(Math.min(Math.max(delay, 0), maxSleepMs), work);
  }

  private async recover(): Promise<void> {
    const { database, clock, log } = this.deps;
    try {
      while (!this.closed && (await this.guard.turn())) {
        // Until no scope is due.
      }
      const now = isoTime(clock.now());
      // What a replica with older settings wrote of a scope that is gone would be due for ever.
      await database.query(
        `delete from scope_state s where s.recovery_at <= $1 and not exists
           (select 1 from resource r where r.space_id = s.space_id and r.kind = 'scope' and r.id = s.scope_id)`,
        [now],
      );
      // So would a scope with nothing to recover from.
      await database.query(
        `update scope_state s set recovery_at = null where s.recovery_at <= $1 and not exists
           (select 1 from severity v where v.scope_id = s.scope_id and v.value > 0)`,
        [now],
      );
    } catch (error) {
      log({ level: 'warn', message: 'recovery failed, will be tried again', ...errorFacts(error) });
      this.wakeAfter(afterFailure, () => this.plan());
      return;
    }
    this.plan();
  }

  /** Lets the first due scopes of one space recover; true when more may be due. */
  private async recoverSome(size: number, took: (scopeId: string) => void): Promise<boolean> {
    const { database, clock } = this.deps;
    const { rows } = await database.query<{ space_id: string }>(
      `select s.space_id from scope_state s where s.recovery_at <= $1 and ${isWrong} order by s.recovery_at, s.scope_id limit 1`,
      [isoTime(clock.now())],
    );
    const spaceId = rows[0]?.space_id;
    if (spaceId === undefined) return false;
    let asked = 0;
    const { events } = await this.change(spaceId, async (db, at) => {
      const changes = await dueChanges(db, spaceId, at, size);
      if (changes[0]) took(changes[0].scopeId);
      asked = changes.length;
      return changes;
    });
    // What does not move now would be due again at once, for ever.
    if (events.length < asked) throw new Error('a severity did not go back to 0');
    return true;
  }

  private async first(): Promise<string | undefined> {
    const { database, clock } = this.deps;
    const { rows } = await database.query<{ scope_id: string }>(
      `select s.scope_id from scope_state s where s.recovery_at <= $1 and ${isWrong} order by s.recovery_at, s.scope_id limit 1`,
      [isoTime(clock.now())],
    );
    return rows[0]?.scope_id;
  }
}

/** Of scope_state as `s`: a scope that is there and has something to recover from. */
const isWrong = `exists (select 1 from severity v where v.scope_id = s.scope_id and v.value > 0)
  and exists (select 1 from resource r where r.space_id = s.space_id and r.kind = 'scope' and r.id = s.scope_id)`;

async function dueChanges(
  db: Queryable,
  spaceId: string,
  now: string,
  max: number,
): Promise<RequestedChange[]> {
  const { rows } = await db.query<{ scope_id: string; name: string }>(
    `select s.scope_id, v.name from (
       select s.scope_id, s.recovery_at from scope_state s where s.space_id = $1 and s.recovery_at <= $2 and ${isWrong}
       order by s.recovery_at, s.scope_id limit $3
     ) s join severity v on v.scope_id = s.scope_id
     where v.value > 0 order by s.recovery_at, s.scope_id, v.name`,
    [spaceId, now, max],
  );
  return rows.map(({ scope_id, name }) => ({
    scopeId: scope_id,
    severityName: name,
    change: { to: 0 },
    source: 'recovery',
  }));
}
