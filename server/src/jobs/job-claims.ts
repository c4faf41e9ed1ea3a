// Claims jobs of a queue, and abandons those that cannot be done.
import { isoTime } from '../common/clock.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { ClaimGuard } from './claim-guard.ts';
import {
  claimValues,
  dueJobsSql,
  dueValues,
  type Job,
  type JobQueueDeps,
  type JobQueueName,
} from './job-queue.ts';
import { isRowFault } from './poison-row-guard.ts';

/** Maximum attempts at a job that throws, or that the database refuses to claim. */
export const maxFailures = 5;

interface JobClaimDeps extends JobQueueDeps {
  log: Log;
}

type AfterCommit = () => void;

export interface Abandonment<Payload> {
  queue: JobQueueName;
  /** Records that a job is abandoned, in the transaction that removes it; may return what to do after the commit. */
  giveUp?(
    tx: Transaction,
    job: Job<Payload>,
    error: unknown,
  ): Promise<void> | Promise<AfterCommit | undefined>;
}

interface JobClaimOptions<Row, Payload> extends Abandonment<Payload> {
  /** Executes a statement that contains `claimStatement`. */
  claim(values: unknown[]): Promise<Row[]>;
  /** Spaces whose jobs are left out at present; `noSpace` for jobs that belong to none. */
  fullSpaces(): readonly string[];
}

export function guardJobClaims<Row, Payload>(
  deps: JobClaimDeps,
  options: JobClaimOptions<Row, Payload>,
): ClaimGuard<Row> {
  const { database, clock } = deps;
  const { queue, claim, fullSpaces } = options;
  const now = () => isoTime(clock.now());
  return new ClaimGuard<Row>(deps, {
    queue,
    claim: (range) => claim(claimValues(deps, range, fullSpaces())),
    async findDue(range) {
      const values = dueValues(deps, range, fullSpaces());
      const { rows } = await database.query<{ id: string }>(dueJobsSql(queue), values);
      return rows.map(({ id }) => id);
    },
    async end(id, error, attempts) {
      if (attempts < maxFailures) return false;
      // A job claimed by another process meanwhile is not due.
      const due = 'id = $1 and run_at <= $2';
      const { rows } = await database.query<Job<Payload>>(
        `select id::text as id, attempts, space_id as "spaceId", payload from job where ${due}`,
        [id, now()],
      );
      if (!rows[0]) return true;
      await abandonJob(deps, options, rows[0], error, async (db) => {
        const gone = await db.query(`delete from job where ${due} returning id`, [id, now()]);
        return gone.rows.length > 0;
      });
      return true;
    },
  });
}

/**
 * Records that a job is abandoned and removes it. A job whose end cannot be recorded is removed as well:
 * otherwise it would return forever. `remove` returns whether the job was still this process's to remove.
 */
export async function abandonJob<Payload>(
  { database, log }: Pick<JobClaimDeps, 'database' | 'log'>,
  { queue, giveUp }: Abandonment<Payload>,
  job: Job<Payload>,
  error: unknown,
  remove: (db: Queryable) => Promise<boolean>,
): Promise<void> {
  const { id, attempts } = job;
  log({ level: 'error', message: 'a job was abandoned', queue, id, attempts, ...errorFields(error) });
  try {
    const afterCommit = await database.transaction(async (tx) =>
      (await remove(tx)) ? giveUp?.(tx, job, error) : undefined,
    );
    if (typeof afterCommit === 'function') afterCommit();
  } catch (second) {
    if (!isRowFault(second)) throw second;
    const message = 'the end of a job could not be recorded';
    log({ level: 'error', message, queue, id, ...errorFields(second) });
    await remove(database);
  }
}
