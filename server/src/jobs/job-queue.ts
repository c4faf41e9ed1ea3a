// A durable queue of jobs: added in the transaction of what causes them, taken under a lease by one process at a time, and taken up again when that process is gone.
import { type Clock, isoTime } from '../common/clock.ts';
import type { Database, Queryable } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';

/** Longer than any attempt at a job can take, in milliseconds. */
export const leaseMs = 120_000;

/** A job that this process holds the lease of. */
export interface Job<Payload> {
  id: string;
  /** From 1; also the fence against a lease that ran out. */
  attempts: number;
  payload: Payload;
}

export interface JobQueueDeps {
  database: Database;
  clock: Clock;
  /** Names this process in leases. */
  instance: string;
}

/**
 * The statement that takes what is due in a queue, oldest first, and returns `id, attempts, payload`.
 * Its parameters are those of `claimValues`; it may stand in a common table expression.
 */
export function claimStatement(queue: string): string {
  return `update job set run_at = $2, attempts = attempts + 1, locked_by = $4
    where id = any(array(select id from job where queue = '${queue}' and run_at <= $1
      order by run_at, id limit $3 for update skip locked))
    returning id::text as id, attempts, payload`;
}

/** Now, the end of the lease, how many, and for whom. */
export function claimValues({ clock, instance }: JobQueueDeps, max: number): unknown[] {
  const now = clock.now();
  return [isoTime(now), isoTime(now + leaseMs), max, instance];
}

/** Adds a job to a queue, due at a time, ISO 8601. */
export async function addJob(
  db: Queryable,
  job: { queue: string; payload: unknown; runAt: string },
): Promise<void> {
  await db.query('insert into job (queue, run_at, payload) values ($1, $2, $3)', [
    job.queue,
    job.runAt,
    toStoreJson(job.payload),
  ]);
}

export class JobQueue<Payload> {
  private readonly deps: JobQueueDeps;
  private readonly name: string;

  constructor(deps: JobQueueDeps, name: string) {
    this.deps = deps;
    this.name = name;
  }

  /** Adds a job that is due now. */
  add(db: Queryable, payload: Payload): Promise<void> {
    return addJob(db, { queue: this.name, payload, runAt: isoTime(this.deps.clock.now()) });
  }

  /** At a start: on the embedded engine nobody else can hold a lease, so those of a dead process are free at once. */
  async freeLeases(): Promise<void> {
    const { database, clock } = this.deps;
    if (database.kind !== 'embedded') return;
    await database.query(
      'update job set run_at = $1, locked_by = null where queue = $2 and locked_by is not null',
      [isoTime(clock.now()), this.name],
    );
  }

  /** Takes what is due now, oldest first. */
  async claim(max: number): Promise<Job<Payload>[]> {
    const { rows } = await this.deps.database.query<Job<Payload>>(
      { name: `claim-${this.name}`, text: claimStatement(this.name) },
      claimValues(this.deps, max),
    );
    return rows;
  }

  /** Puts a job back until that time, ISO 8601, or ends it with null; false when its lease was lost to another. */
  async settle(db: Queryable, { id, attempts }: Job<unknown>, againAt: string | null): Promise<boolean> {
    const mine = 'where id = $1 and locked_by = $2 and attempts = $3 returning id';
    const values = [id, this.deps.instance, attempts];
    const { rows } =
      againAt === null
        ? await db.query(`delete from job ${mine}`, values)
        : await db.query(`update job set run_at = $4, locked_by = null ${mine}`, [...values, againAt]);
    return rows.length > 0;
  }
}
