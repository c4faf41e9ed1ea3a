// Erases a cancelled space when its time has come; nothing of it is served afterwards.
import { Problem } from '@yagura/core/http/problem';
import type { FastifyInstance } from 'fastify';
import { type Clock, isoTime } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
import type { Database } from '../db/database.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';
import { eraseSpace } from './erase-space.ts';

const pollIntervalMs = 60_000;

export interface SpaceErasure {
  /** Erases the space when due; requests that arrived earlier are still served. */
  check(): Promise<void>;
  /** True once it is erased. */
  isErased(): boolean;
  close(): Promise<void>;
}

export function createSpaceErasure(deps: {
  database: Database;
  clock: Clock;
  log: Log;
  spaceId: string;
  /** Called once the space is erased, by this process or another. */
  onErased(): void;
}): SpaceErasure {
  const { database, clock, log, spaceId } = deps;
  let erased = false;

  async function erase(): Promise<void> {
    if (erased) return;
    const outcome = await eraseSpace(database, spaceId, async (tx) => {
      const { rows } = await tx.query<{ due: boolean }>(
        'select coalesce(cancel_ends_at <= $2, false) as due from space where space_id = $1',
        [spaceId, isoTime(clock.now())],
      );
      return rows[0]?.due ?? false;
    });
    if (outcome === 'not-due') return;
    erased = true;
    log({ level: 'warn', message: 'The space was cancelled and is erased', spaceId });
    deps.onErased();
  }

  const erasureJob = new PeriodicJob({
    clock,
    log,
    intervalMs: pollIntervalMs,
    failureMessage: 'The end of the space failed; tried again',
    work: erase,
  });
  erasureJob.start();

  return {
    check: () => erasureJob.runNow(),
    isErased: () => erased,
    close: () => erasureJob.close(),
  };
}

/** Answers everything with 404 once the space is erased. */
export function rejectWhenErased(app: FastifyInstance, end: Pick<SpaceErasure, 'isErased'>): void {
  app.addHook('onRequest', async () => {
    if (end.isErased()) throw new Problem('not-found', { detail: 'This space was cancelled and erased' });
  });
}
