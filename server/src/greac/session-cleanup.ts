// Closes sessions without participants, and those that no gateway holds any more. All state is in the database, so
// cleanup survives a restart.
import { emptySessionTimeoutMs, presenceTimeoutMs, session } from '@yagura/core/greac/session';
import { gatewayGraceMs, gatewayTimeoutMs } from '@yagura/core/greac/stream/gateway-protocol';
import { type Clock, isoTime } from '../common/clock.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { ChangeBus } from '../db/change-bus.ts';
import type { Database, Transaction } from '../db/database.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';
import { runIsolatingFaults } from '../jobs/poison-row-guard.ts';
import { PostponedRows } from '../jobs/postponed-rows.ts';
import {
  type ChangedSession,
  closeAbandonedSessions,
  closeEmptySessions,
  findAbandonedSessions,
  findEmptySessions,
  findUnseenSessions,
  removeUnseenMembers,
} from './session-store.ts';

/** Sweep interval in milliseconds. */
const cleanupIntervalMs = 10_000;

export class SessionCleanup {
  private readonly deps: { database: Database; clock: Clock; changes: ChangeBus; log: Log };
  private readonly job: PeriodicJob;
  /** Sessions that the database refuses to change. */
  private readonly postponed: PostponedRows;

  constructor(deps: { database: Database; clock: Clock; changes: ChangeBus; log: Log }) {
    this.deps = deps;
    const { clock, log } = deps;
    this.postponed = new PostponedRows(clock);
    this.job = new PeriodicJob({
      ...{ clock, log },
      intervalMs: cleanupIntervalMs,
      failureMessage: 'sessions not looked at',
      work: () => this.sweep(),
    });
  }

  start(): void {
    this.job.start();
    void this.runNow();
  }

  close(): Promise<void> {
    return this.job.close();
  }

  /** Sweeps once more, after any sweep in progress. */
  runNow(): Promise<void> {
    return this.job.runNow();
  }

  private async sweep(): Promise<void> {
    const { database, clock } = this.deps;
    const now = clock.now();
    const at = isoTime(now);
    const seenBefore = isoTime(now - presenceTimeoutMs);
    const unseen = await findUnseenSessions(database, seenBefore, this.postponed.ids(now));
    await this.change(unseen, at, (tx, ids) => removeUnseenMembers(tx, ids, seenBefore, at));
    const emptyBefore = isoTime(now - emptySessionTimeoutMs);
    const empty = await findEmptySessions(database, emptyBefore, this.postponed.ids(now));
    await this.change(empty, at, (tx, ids) => closeEmptySessions(tx, ids, emptyBefore, at));
    const absence = {
      seenBefore: isoTime(now - gatewayTimeoutMs),
      connectedBefore: isoTime(now - gatewayGraceMs - gatewayTimeoutMs),
    };
    const abandoned = await findAbandonedSessions(database, absence, this.postponed.ids(now));
    await this.change(abandoned, at, (tx, ids) => closeAbandonedSessions(tx, ids, absence, at));
    this.postponed.deleteExpired(now);
  }

  /** Changes sessions and announces them; those that the database refuses to change are tried again later. */
  private async change(
    sessionIds: readonly string[],
    at: string,
    work: (tx: Transaction, sessionIds: readonly string[]) => Promise<ChangedSession[]>,
  ): Promise<void> {
    const { database, changes, log } = this.deps;
    const about = { resource: session.name, op: 'update', at } as const;
    await runIsolatingFaults(
      sessionIds,
      async (some) => {
        const changed = await database.transaction((tx) => work(tx, some));
        changes.publish(changed.map(({ spaceId, sessionId }) => ({ ...about, spaceId, id: sessionId })));
      },
      async (id, error) => {
        this.postponed.postpone(id);
        log({ level: 'error', message: 'a session could not be cleaned up', id, ...errorFields(error) });
      },
    );
  }
}
