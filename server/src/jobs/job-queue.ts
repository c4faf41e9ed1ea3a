// Durable queues in the table `job`: jobs are added in the transaction that causes them, leased by one process
// at a time, and leased again if that process dies.
import { type Clock, isoTime } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
import { noSpace } from '../common/spaces/space-shares.ts';
import type { Database, Queryable } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';
import type { ClaimRange } from './claim-guard.ts';
import { updateRows } from './update-rows.ts';

/** Lease duration in milliseconds; `JobLeases` renews it. At least twice the time limit of a mail or webhook. */
export const leaseMs = 120_000;
/** Milliseconds that a job waits at most for its next attempt; a target may request an hour, and a tenth is added. */
export const longestJobWaitMs = 70 * 60_000;

/** Every queue. `server/test/jobs/poison-jobs.test.ts` has a case for each. */
export const jobQueues = [
  'delivery',
  'kroker-notification',
  'notice-mail',
  'pigeon-notification',
  'server-mail',
  'sonar-aggregation',
  'sonar-index',
  'sonar-notification',
] as const;
export type JobQueueName = (typeof jobQueues)[number];

/** A job leased by this process. */
export interface Job<Payload> {
  id: string;
  /** Starts at 1; also serves as the fencing token against an expired lease. */
  attempts: number;
  /** Null if it belongs to no space. */
  spaceId: string | null;
  payload: Payload;
}

export interface JobQueueDeps {
  database: Database;
  clock: Clock;
  /** Identifies this process in leases. */
  instance: string;
}

/**
 * Returns the statement that selects due jobs of a queue, oldest first. Its parameters: current time, maximum
 * number, ids to choose from (null for all), ids and spaces to leave out.
 *
 * It looks up each space that has jobs in the index, so that it takes as long with one due job of each as with a
 * backlog of a space that is left out.
 */
export function dueJobsSql(queue: JobQueueName, lock: '' | 'for update skip locked' = ''): string {
  const dueOf = (space: string) => `select id, run_at from job
        where queue = '${queue}' and space_id ${space} and run_at <= $1
          and ($3::bigint[] is null or id = any($3::bigint[])) and id <> all($4::bigint[])
        order by run_at, id limit $2 ${lock}`;
  return `with recursive spaces as (
      (select space_id from job where queue = '${queue}' and space_id is not null
        and exists (select 1 from job where queue = '${queue}' and run_at <= $1) order by space_id limit 1)
      union all
      select (select j.space_id from job j where j.queue = '${queue}' and j.space_id > s.space_id
        order by j.space_id limit 1)
      from spaces s where s.space_id is not null
    )
    select id::text as id from (
      select d.* from spaces s cross join lateral (${dueOf('= s.space_id')}) d where s.space_id <> all($5::uuid[])
      union all
      select d.* from (${dueOf('is null')}) d where '${noSpace}'::uuid <> all($5::uuid[])
    ) due
    order by run_at, due.id limit $2`;
}

/**
 * Returns the statement that claims the jobs that `dueJobsSql` selects, and returns the columns of `Job`.
 * Its parameters are those of `claimValues`; it can be used in a common table expression.
 */
export function claimStatement(queue: JobQueueName): string {
  return `update job set run_at = $6, attempts = attempts + 1, locked_by = $7
    where id = any(array(select c.id::bigint from (${dueJobsSql(queue, 'for update skip locked')}) c))
    returning id::text as id, attempts, space_id as "spaceId", payload`;
}

/** Parameters of `dueJobsSql`. */
export function dueValues(
  { clock }: Pick<JobQueueDeps, 'clock'>,
  { max, only, except }: ClaimRange,
  exceptSpaces: readonly string[],
): unknown[] {
  return [isoTime(clock.now()), max, only, except, exceptSpaces];
}

/** Parameters of `dueJobsSql`, then the end of the lease and its owner. */
export function claimValues(
  deps: JobQueueDeps,
  range: ClaimRange,
  exceptSpaces: readonly string[],
): unknown[] {
  return [...dueValues(deps, range, exceptSpaces), isoTime(deps.clock.now() + leaseMs), deps.instance];
}

/** Adds jobs to a queue, due at an ISO 8601 time. Those of a space are deleted together with it. */
export async function addJobs(
  db: Queryable,
  jobs: { queue: JobQueueName; spaceId: string | null; runAt: string; payloads: readonly unknown[] },
): Promise<void> {
  await db.query(
    `insert into job (queue, run_at, space_id, payload)
     select $1, $2, $3, payload from jsonb_array_elements($4::jsonb) as payload`,
    [jobs.queue, jobs.runAt, jobs.spaceId, toStoreJson(jobs.payloads)],
  );
}

export class JobQueue<Payload> {
  private readonly deps: JobQueueDeps;
  private readonly name: JobQueueName;

  constructor(deps: JobQueueDeps, name: JobQueueName) {
    this.deps = deps;
    this.name = name;
  }

  /** Adds a job of a space that is due now. */
  add(db: Queryable, spaceId: string | null, payload: Payload): Promise<void> {
    const runAt = isoTime(this.deps.clock.now());
    return addJobs(db, { queue: this.name, spaceId, runAt, payloads: [payload] });
  }

  /**
   * At startup: on the embedded engine no other process can hold a lease, so leases of a dead process are
   * released at once.
   */
  async freeLeases(log: Log): Promise<void> {
    const { database, clock } = this.deps;
    if (database.kind !== 'embedded') return;
    await updateRows(
      { database, log },
      {
        ...{ table: 'job', key: 'id' },
        ...{ where: 'queue = $1 and locked_by is not null', whereValues: [this.name] },
        ...{ set: 'run_at = $2, locked_by = null', setValues: [isoTime(clock.now())] },
      },
    );
  }

  /** Claims due jobs, oldest first; rejected if one of them cannot be claimed. */
  async claim(max: number): Promise<Job<Payload>[]> {
    return this.claimWith(claimValues(this.deps, { max, only: null, except: [] }, []));
  }

  /** Same, with the parameters of the statement. */
  async claimWith(values: unknown[]): Promise<Job<Payload>[]> {
    const { rows } = await this.deps.database.query<Job<Payload>>(
      { name: `claim-${this.name}`, text: claimStatement(this.name) },
      values,
    );
    return rows;
  }

  /**
   * Reschedules a job to that time (ISO 8601), or ends it with null; false if its lease was lost to another
   * process.
   */
  async settle(db: Queryable, { id, attempts }: Job<unknown>, againAt: string | null): Promise<boolean> {
    const mine = 'where id = $1 and locked_by = $2 and attempts = $3 returning id';
    const values = [id, this.deps.instance, attempts];
    const { rows } =
      againAt === null
        ? await db.query(`delete from job ${mine}`, values)
        : await db.query(`update job set run_at = $4, locked_by = null ${mine}`, [...values, againAt]);
    return rows.length > 0;
  }

  /**
   * Stores how far a job is and renews its lease; with `release`, any process may go on with it at once, and its
   * attempts are counted anew. False if its lease was lost to another process.
   */
  async advance(
    db: Queryable,
    { id, attempts }: Job<unknown>,
    payload: Payload,
    { release }: { release: boolean } = { release: false },
  ): Promise<boolean> {
    const { clock, instance } = this.deps;
    const now = clock.now();
    const { rows } = await db.query(
      `update job set payload = $4, run_at = $5${release ? ', locked_by = null, attempts = 0' : ''}
       where id = $1 and locked_by = $2 and attempts = $3 returning id`,
      [id, instance, attempts, toStoreJson(payload), isoTime(release ? now : now + leaseMs)],
    );
    return rows.length > 0;
  }
}
