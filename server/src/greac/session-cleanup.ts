// Closes sessions without participants. All state is in the database, so cleanup survives a restart.
import { emptySessionTimeoutMs, presenceTimeoutMs, session } from '@yagura/core/greac/session';
import { type Clock, isoTime } from '../common/clock.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { ChangeBus } from '../db/change-bus.ts';
import type { Database } from '../db/database.ts';
import { type CoalescedRunner, createCoalescedRunner } from '../jobs/coalesced-runner.ts';
import { closeEmptySessions, removeUnseenMembers } from './session-store.ts';

/** Sweep interval in milliseconds. */
const cleanupIntervalMs = 10_000;

export class SessionCleanup {
  private readonly deps: { database: Database; clock: Clock; changes: ChangeBus; log: Log };
  private stop: (() => void) | undefined;
  private readonly runner: CoalescedRunner;

  constructor(deps: { database: Database; clock: Clock; changes: ChangeBus; log: Log }) {
    this.deps = deps;
    this.runner = createCoalescedRunner(() =>
      this.sweep().catch((error: unknown) =>
        deps.log({ level: 'warn', message: 'sessions not looked at', ...errorFields(error) }),
      ),
    );
  }

  start(): void {
    this.stop = this.deps.clock.every(cleanupIntervalMs, () => void this.runNow());
    void this.runNow();
  }

  async close(): Promise<void> {
    this.stop?.();
    await this.runner.idle();
  }

  /** Sweeps once more, after any sweep in progress. */
  runNow(): Promise<void> {
    return this.runner.run();
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
