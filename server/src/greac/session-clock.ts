// Closes sessions that everybody has left. All it goes by is stored, so a restart loses nothing.
import { emptySessionTimeoutMs, presenceTimeoutMs, session } from '@yagura/core/greac/session';
import { type Clock, isoTime } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { type OneAtATime, oneAtATime } from '../jobs/one-at-a-time.ts';
import { errorFacts, type Log } from '../log.ts';
import type { ChangeBus } from '../resource/change-bus.ts';
import { closeEmpty, exitUnseen } from './session-store.ts';

/** Milliseconds between two looks. */
const every = 10_000;

export class SessionClock {
  private readonly deps: { database: Database; clock: Clock; changes: ChangeBus; log: Log };
  private stop: (() => void) | undefined;
  private readonly line: OneAtATime;

  constructor(parts: { database: Database; clock: Clock; changes: ChangeBus; log: Log }) {
    this.deps = parts;
    this.line = oneAtATime(() =>
      this.sweep().catch((error: unknown) =>
        parts.log({ level: 'warn', message: 'sessions not looked at', ...errorFacts(error) }),
      ),
    );
  }

  start(): void {
    this.stop = this.deps.clock.every(every, () => void this.look());
    void this.look();
  }

  async close(): Promise<void> {
    this.stop?.();
    await this.line.idle();
  }

  /** Looks once more, after any look that is under way. */
  look(): Promise<void> {
    return this.line.run();
  }

  private async sweep(): Promise<void> {
    const { database, clock, changes } = this.deps;
    const now = clock.now();
    const touched = await database.transaction(async (tx) => [
      ...(await exitUnseen(tx, isoTime(now - presenceTimeoutMs), isoTime(now))),
      ...(await closeEmpty(tx, isoTime(now - emptySessionTimeoutMs), isoTime(now))),
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
