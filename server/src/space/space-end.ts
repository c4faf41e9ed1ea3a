// Watches for the end of a cancelled space: it is erased, and from then on nothing of it is served.
import { Problem } from '@yagura/core/http/problem';
import type { FastifyInstance } from 'fastify';
import { type Clock, isoTime } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { PeriodicJob } from '../jobs/rounds.ts';
import type { Log } from '../log.ts';
import { eraseSpace } from './erase-space.ts';

const pollIntervalMs = 60_000;

export interface SpaceEnd {
  /** Erases the space when its time has come; a request that came before is served. */
  look(): Promise<void>;
  /** True once it is erased. */
  ended(): boolean;
  close(): Promise<void>;
}

export function createSpaceEnd(parts: {
  database: Database;
  clock: Clock;
  log: Log;
  spaceId: string;
  /** Called once it is erased, by this process or by another. */
  erased(): void;
}): SpaceEnd {
  const { database, clock, log, spaceId } = parts;
  let gone = false;

  async function erase(): Promise<void> {
    if (gone) return;
    const outcome = await eraseSpace(database, spaceId, async (tx) => {
      const { rows } = await tx.query<{ due: boolean }>(
        'select coalesce(cancel_ends_at <= $2, false) as due from space where space_id = $1',
        [spaceId, isoTime(clock.now())],
      );
      return rows[0]?.due ?? false;
    });
    if (outcome === 'not-due') return;
    gone = true;
    log({ level: 'warn', message: 'The space was cancelled and is erased', spaceId });
    parts.erased();
  }

  const rounds = new PeriodicJob({
    clock,
    log,
    intervalMs: pollIntervalMs,
    failure: 'The end of the space failed; tried again',
    work: erase,
  });
  rounds.start();

  return {
    look: () => rounds.look(),
    ended: () => gone,
    close: () => rounds.close(),
  };
}

/** Answers everything with 404 once the space is erased. */
export function guardEnd(app: FastifyInstance, end: Pick<SpaceEnd, 'ended'>): void {
  app.addHook('onRequest', async () => {
    if (end.ended()) throw new Problem('not-found', { detail: 'This space was cancelled and erased' });
  });
}
