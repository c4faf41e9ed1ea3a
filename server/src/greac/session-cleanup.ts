// Closes sessions without participants. All state is in the database, so cleanup survives a restart.
import { emptySessionTimeoutMs, presenceTimeoutMs, session } from '@yagura/core/greac/session';
import { type Clock, isoTime } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
import type { ChangeBus } from '../db/change-bus.ts';
import type { Database } from '../db/database.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';
import { closeEmptySessions, removeUnseenMembers } from './session-store.ts';

/** Sweep interval in milliseconds. */
const cleanupIntervalMs = 10_000;

export class SessionCleanup {
  private readonly deps: { database: Database; clock: Clock; changes: ChangeBus; log: Log };
  private readonly job: PeriodicJob;

  constructor(deps: { database: Database; clock: Clock; changes: ChangeBus; log: Log }) {
    this.deps = deps;
    const { clock, log } = deps;
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
    const { database, clock, changes } = this.deps;
    const now = clock.now();
    const touched = await database.transaction(async (tx) => [
      ...(await removeUnseenMembers(tx, isoTime(now - presenceTimeoutMs), isoTime(now))),
      ...(await closeEmptySessions(tx, isoTime(now - emptySessionTimeoutMs), isoTime(now))),
    ]);
    changes.publish(
      touched.map(({ spaceId, sessionId }) => ({
        spaceId,
        resource: session.name,
        id: sessionId,
        op: 'update' as const,
        at: isoTime(now),
      })),
    );
  }
}
