// Processes a durable queue: claims a few due jobs at a time, when woken and at a fixed interval.
import { isoTime } from '../common/clock.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { ClaimGuard } from './claim-guard.ts';
import { type Abandonment, abandonJob, guardJobClaims, maxFailures } from './job-claims.ts';
import { type Job, JobQueue, type JobQueueDeps } from './job-queue.ts';
import { PeriodicJob } from './periodic-job.ts';
import { isRowFault, retryDelayAfter } from './poison-row-guard.ts';

export interface QueueWorkerDeps extends JobQueueDeps {
  log: Log;
}

interface QueueWork<Payload> extends Abandonment<Payload> {
  /** Maximum concurrent jobs. */
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
  private readonly job: PeriodicJob;

  constructor(deps: QueueWorkerDeps, work: QueueWork<Payload>) {
    const { clock, log } = deps;
    const { failureMessage } = work;
    this.deps = deps;
    this.work = work;
    this.queue = new JobQueue(deps, work.queue);
    this.claims = guardJobClaims(deps, { ...work, claim: (values) => this.queue.claimWith(values) });
    this.job = new PeriodicJob({
      ...{ clock, log, failureMessage },
      intervalMs: pollIntervalMs,
      work: () => this.drain(),
    });
  }

  async start(): Promise<void> {
    await this.queue.freeLeases(this.deps.log);
    this.job.start();
    this.wake();
  }

  /** Checks for due jobs now instead of at the next interval. */
  wake(): void {
    void this.job.runNow();
  }

  /** Resolves when no job is running or due. */
  async idle(): Promise<void> {
    await this.job.runNow();
    await this.job.idle();
  }

  /** Waits for running jobs. */
  close(): Promise<void> {
    return this.job.close();
  }

  private async drain(): Promise<void> {
    const { maxConcurrent } = this.work;
    for (let taken = maxConcurrent; taken === maxConcurrent && !this.job.closed; ) {
      const jobs = await this.claims.claim(maxConcurrent);
      taken = jobs.length;
      const ends = await Promise.allSettled(jobs.map((job) => this.runJob(job)));
      const failure = ends.find((end) => end.status === 'rejected');
      if (failure) throw failure.reason;
    }
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
