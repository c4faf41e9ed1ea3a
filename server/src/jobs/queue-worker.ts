// Processes a durable queue: claims due jobs when woken, at a fixed interval, and when a job ends while others wait.
import { isoTime } from '../common/clock.ts';
import { errorFields, type Log } from '../common/log.ts';
import { noSpace, SpaceShares } from '../common/spaces/space-shares.ts';
import type { ClaimGuard } from './claim-guard.ts';
import { type Abandonment, abandonJob, guardJobClaims, maxFailures } from './job-claims.ts';
import { type Job, JobQueue, type JobQueueDeps } from './job-queue.ts';
import { JobLeases } from './leases/job-leases.ts';
import { PeriodicJob } from './periodic-job.ts';
import { isRowFault, retryDelayAfter } from './poison-row-guard.ts';

export interface QueueWorkerDeps extends JobQueueDeps {
  log: Log;
}

interface QueueWork<Payload> extends Abandonment<Payload> {
  /** Maximum concurrent jobs, which spaces share. */
  maxConcurrent: number;
  /**
   * Processes one job and settles it. A job that throws is retried later, and abandoned after several
   * attempts.
   */
  work(job: Job<Payload>): Promise<void>;
  /** Log message for a job that is retried. */
  failureMessage: string;
}

const pollIntervalMs = 1000;

export class QueueWorker<Payload> {
  readonly queue: JobQueue<Payload>;
  private readonly deps: QueueWorkerDeps;
  private readonly work: QueueWork<Payload>;
  private readonly claims: ClaimGuard<Job<Payload>>;
  private readonly claiming: PeriodicJob;
  private readonly leases: JobLeases;
  private readonly running = new Set<Promise<void>>();
  private readonly shares: SpaceShares;
  /** True while due jobs may be waiting in the database for a job to end. */
  private hasBacklog = false;
  /** True if a running job may be due again when it ends: it was released by its own work. */
  private wasWoken = false;

  constructor(deps: QueueWorkerDeps, work: QueueWork<Payload>) {
    const { clock, log } = deps;
    const { failureMessage } = work;
    this.deps = deps;
    this.work = work;
    this.queue = new JobQueue(deps, work.queue);
    this.shares = new SpaceShares({ max: work.maxConcurrent });
    this.claims = guardJobClaims(deps, {
      ...work,
      claim: (values) => this.queue.claimWith(values),
      fullSpaces: () => this.shares.full,
    });
    this.leases = new JobLeases(deps);
    this.claiming = new PeriodicJob({
      ...{ clock, log, failureMessage },
      intervalMs: pollIntervalMs,
      work: () => this.claimDue(),
    });
  }

  async start(): Promise<void> {
    await this.queue.freeLeases(this.deps.log);
    this.leases.start();
    this.claiming.start();
    this.wake();
  }

  /** Checks for due jobs now instead of at the next interval, and again when a running one ends. */
  wake(): void {
    this.wasWoken = this.running.size > 0;
    void this.claiming.runNow();
  }

  /** Resolves when no job is running or due. */
  async idle(): Promise<void> {
    do {
      await this.claiming.runNow();
      await Promise.all(this.running);
      await this.claiming.idle();
    } while (this.running.size > 0 || (this.hasBacklog && !this.claiming.closed));
  }

  /** Waits for running jobs. */
  async close(): Promise<void> {
    await this.claiming.close();
    await Promise.all(this.running);
    await this.leases.close();
  }

  /** A job that takes long keeps its place only. */
  private async claimDue(): Promise<void> {
    const room = this.shares.freeForOne;
    const hasFull = this.shares.full.length > 0;
    this.hasBacklog = room <= 0 || hasFull;
    if (room <= 0) return;
    const leasedAt = this.deps.clock.now();
    const jobs = await this.claims.claim(room, this.leases.ids);
    const isCut = jobs.length === room;
    this.hasBacklog = isCut || hasFull;
    this.leases.hold(
      jobs.map(({ id }) => id),
      leasedAt,
    );
    for (const job of jobs) this.startJob(job);
    // For other spaces, or because jobs have ended during the claim.
    if (isCut && this.shares.freeForOne > 0) this.wake();
  }

  private startJob(job: Job<Payload>): void {
    const { log } = this.deps;
    const { queue, failureMessage } = this.work;
    const space = job.spaceId ?? noSpace;
    this.shares.take(space);
    const run = this.runJob(job)
      .catch((error) => {
        log({ level: 'warn', message: failureMessage, queue, id: job.id, ...errorFields(error) });
        // Others are not claimed before the next interval.
        this.hasBacklog = false;
      })
      .finally(() => {
        this.running.delete(run);
        this.shares.release(space);
        this.leases.release([job.id]);
        if (this.hasBacklog || this.wasWoken) this.wake();
      });
    this.running.add(run);
  }

  /**
   * A job that throws is retried after the others; after a database failure it is left until its lease
   * expires.
   */
  private async runJob(job: Job<Payload>): Promise<void> {
    const { work, failureMessage, queue } = this.work;
    try {
      return await work(job);
    } catch (error) {
      if (!isRowFault(error)) throw error;
      const { id, attempts } = job;
      const { database, clock, log } = this.deps;
      if (attempts >= maxFailures)
        return abandonJob(this.deps, this.work, job, error, (db) => this.queue.settle(db, job, null));
      log({ level: 'warn', message: failureMessage, queue, id, attempts, ...errorFields(error) });
      await this.queue.settle(database, job, isoTime(clock.now() + retryDelayAfter(attempts)));
    }
  }
}
