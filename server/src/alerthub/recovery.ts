// Scopes whose recovery time has passed since their last event go back to 0.
import type { RequestedChange } from '@yagura/core/alerthub/decide/decide';
import { type Clock, isoTime } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { errorFacts, type Log } from '../log.ts';
import type { ChangeBus } from '../resource/change-bus.ts';

interface RecoveryParts {
  database: Database;
  clock: Clock;
  log: Log;
  changes: ChangeBus;
}

/** Applies changes that come from no message. */
type Change = (spaceId: string, changes: readonly RequestedChange[]) => Promise<unknown>;

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
      const { rows } = await database.query<{ space_id: string; scope_id: string; name: string }>(
        `select s.space_id, s.scope_id, v.name from scope_state s join severity v using (scope_id)
         where s.recovery_at <= $1 and v.value > 0 order by s.recovery_at, s.scope_id, v.name limit 1000`,
        [now],
      );
      for (const spaceId of new Set(rows.map((row) => row.space_id))) {
        const due = rows.filter((row) => row.space_id === spaceId);
        await this.change(
          spaceId,
          due.map(({ scope_id, name }) => ({
            scopeId: scope_id,
            severityName: name,
            change: { to: 0 },
            source: 'recovery',
          })),
        );
      }
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
