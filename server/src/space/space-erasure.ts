// Ends a cancelled space when its time has come, and erases it; nothing of it is served from the beginning of that.
import type { FastifyInstance } from 'fastify';
import { type Clock, isoTime } from '../common/clock.ts';
import { errorFields, type Log } from '../common/log.ts';
import { ClockJumpGuard } from '../common/time/clock-jump-guard.ts';
import { TranslatableProblem } from '../common/translatable-problem.ts';
import { translatable } from '../common/translatable-text.ts';
import type { Database } from '../db/database.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';
import { beginErasure, eraseMarkedSpace, listUnerasedSpaces } from './erase-space.ts';

const pollIntervalMs = 60_000;

export interface SpaceErasure {
  /** Ends the space when due and resolves once it is erased; requests that arrived earlier are still served. */
  check(): Promise<void>;
  /** True once its erasure has begun. */
  hasBegun(): boolean;
  close(): Promise<void>;
}

export function createSpaceErasure(deps: {
  database: Database;
  clock: Clock;
  log: Log;
  spaceId: string;
  /** Called once its erasure has begun, by this process or another; resolves when it has ended. */
  onBegun(): Promise<void>;
}): SpaceErasure {
  const { database, clock, log, spaceId } = deps;
  const clockJump = new ClockJumpGuard({ clock, log }, 'end of the cancelled space');
  let erasing: Promise<void> | undefined;

  /** False when the end is long past: then the server was off all the time, or its clock is wrong. */
  async function mayBegin(): Promise<boolean> {
    const { rows } = await database.query<{ endsAt: string }>(
      'select cancel_ends_at as "endsAt" from space where space_id = $1 and cancel_ends_at <= $2',
      [spaceId, isoTime(clock.now())],
    );
    return !rows[0] || clockJump.mayDelete(rows[0].endsAt);
  }

  const endJob = new PeriodicJob({
    clock,
    log,
    intervalMs: pollIntervalMs,
    failureMessage: 'The end of the space failed; tried again',
    async work() {
      if (erasing || !(await mayBegin())) return;
      if (!(await beginErasure(database, spaceId, isoTime(clock.now())))) return;
      log({ level: 'warn', message: 'The space was cancelled and is erased', spaceId });
      erasing = deps.onBegun();
    },
  });
  endJob.start();

  return {
    async check() {
      await endJob.runNow();
      await erasing;
    },
    hasBegun: () => erasing !== undefined,
    close: () => endJob.close(),
  };
}

/** Erases all spaces of this installation whose erasure has begun, also before an earlier end of the process. */
export function createSpaceEraser({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: Clock;
  log: Log;
}): PeriodicJob {
  const job = new PeriodicJob({
    clock,
    log,
    intervalMs: pollIntervalMs,
    failureMessage: 'The spaces to erase were not read',
    async work() {
      for (const spaceId of await listUnerasedSpaces(database)) {
        try {
          if (await eraseMarkedSpace(database, spaceId, () => job.closed))
            log({ level: 'info', message: 'The space is erased', spaceId });
        } catch (error) {
          const message = 'A space could not be erased; tried again';
          log({ level: 'warn', message, spaceId, ...errorFields(error) });
        }
      }
    },
  });
  return job;
}

/** Answers everything with 404 once the erasure of the space has begun. */
export function rejectWhenErased(app: FastifyInstance, erasure: Pick<SpaceErasure, 'hasBegun'>): void {
  app.addHook('onRequest', async () => {
    if (erasure.hasBegun()) throw new TranslatableProblem('not-found', translatable('refusal.space-erased'));
  });
}
