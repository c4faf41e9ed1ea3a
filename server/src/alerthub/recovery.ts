// Scopes whose recovery time has passed since their last event go back to 0.
import type { RequestedChange } from '@yagura/core/alerthub/decide/decide';
import { type Clock, isoTime } from '../clock.ts';
import type { Database, Queryable } from '../db/database.ts';
import { errorFacts, type Log } from '../log.ts';
import type { ChangeBus } from '../resource/change-bus.ts';

interface RecoveryParts {
  database: Database;
  clock: Clock;
  log: Log;
  changes: ChangeBus;
}

/** Finds changes when their turn has come: an event that comes before it puts a recovery off. */
export type FindChanges = (db: Queryable, now: string) => Promise<RequestedChange[]>;

/** Applies changes that come from no message. */
type Change = (spaceId: string, find: FindChanges) => Promise<unknown>;

/** Scopes that recover in one turn, each with all of its severities. */
const mostScopes = 100;

/** Sleeps no longer than this, in milliseconds: another server's clock may differ. */
const longestSleep = 3_600_000;

export class Recovery {
  private readonly parts: RecoveryParts;
  private readonly change: Change;
  private cancelTimer: (() => void) | undefined;
  private closed = false;

  constructor(parts: RecoveryParts, change: Change) {
    this.parts = parts;
    this.change = change;
    parts.changes.listen((list) => {
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
    this.parts.database
      .query<{ at: string | null }>({
        name: 'next-recovery',
        text: 'select min(recovery_at) as at from scope_state where recovery_at is not null',
      })
      .then(({ rows }) => {
        const at = rows[0]?.at;
        if (at) this.wakeAfter(Date.parse(at) - this.parts.clock.now(), () => void this.recover());
      })
      .catch(() => this.wakeAfter(5000, () => this.plan()));
  }

  private wakeAfter(delay: number | undefined, work: () => void = () => {}): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    if (delay === undefined || this.closed) return;
    this.cancelTimer = this.parts.clock.after(Math.min(Math.max(delay, 0), longestSleep), work);
  }

  private async recover(): Promise<void> {
    const { database, clock, log } = this.parts;
    try {
      const now = isoTime(clock.now());
      const { rows } = await database.query<{ space_id: string }>(
        'select distinct space_id from scope_state where recovery_at <= $1',
        [now],
      );
      for (const { space_id } of rows) await this.change(space_id, (db, at) => dueChanges(db, space_id, at));
      // What a replica with older settings wrote of a scope that is gone would be due for ever.
      await database.query(
        `delete from scope_state s where s.recovery_at <= $1 and not exists
           (select 1 from resource r where r.space_id = s.space_id and r.kind = 'scope' and r.id = s.scope_id)`,
        [now],
      );
    } catch (error) {
      log({ level: 'warn', message: 'recovery failed, will be tried again', ...errorFacts(error) });
    }
    this.plan();
  }
}

async function dueChanges(db: Queryable, spaceId: string, now: string): Promise<RequestedChange[]> {
  const { rows } = await db.query<{ scope_id: string; name: string }>(
    `select s.scope_id, v.name from (
       select scope_id, recovery_at from scope_state d where d.space_id = $1 and d.recovery_at <= $2
         and exists (select 1 from severity v where v.scope_id = d.scope_id and v.value > 0)
       order by recovery_at, scope_id limit ${mostScopes}
     ) s join severity v on v.scope_id = s.scope_id
     where v.value > 0 order by s.recovery_at, s.scope_id, v.name`,
    [spaceId, now],
  );
  return rows.map(({ scope_id, name }) => ({
    scopeId: scope_id,
    severityName: name,
    change: { to: 0 },
    source: 'recovery',
  }));
}
