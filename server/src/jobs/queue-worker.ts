// Processes a durable queue: claims a few due jobs at a time, when woken and at a fixed interval.
import { isoTime } from '../common/clock.ts';
import { errorFields, type Log } from '../common/log.ts';
import { type Job, JobQueue, type JobQueueDeps, type JobQueueName } from './job-queue.ts';
import { PeriodicJob } from './periodic-job.ts';
import { isRowFault, retryDelayAfter } from './poison-row-guard.ts';

export interface QueueWorkerDeps extends JobQueueDeps {
  log: Log;
}

interface QueueWork<Payload> {
  queue: JobQueueName;
  /** Maximum concurrent jobs. */
  maxConcurrent: number;
  /**
   * Processes one job and settles it. A job that throws is retried later, and abandoned after several
   * attempts.
   */
  work(job: Job<Payload>): Promise<void>;
  /** Records that a job is abandoned, before it is removed. */
  giveUp?(job: Job<Payload>, error: unknown): Promise<void>;
  /** Log message for a job that is retried. */
  failureMessage: string;
}

const pollIntervalMs = 1000;
/** Maximum attempts at a job that throws. */
const maxFailures = 5;

export class QueueWorker<Payload> {
  readonly queue: JobQueue<Payload>;
  private readonly deps: QueueWorkerDeps;
  private readonly work: QueueWork<Payload>;
  private readonly job: PeriodicJob;

  constructor(deps: QueueWorkerDeps, work: QueueWork<Payload>) {
    const { clock, log } = deps;
    const { failureMessage } = work;
    this.deps = deps;
    this.work = work;
    this.queue = new JobQueue(deps, work.queue);
    this.job = new PeriodicJob({
      ...{ clock, log, failureMessage },
      intervalMs: pollIntervalMs,
      work: () => this.drain(),
    });
  }

  async start(): Promise<void> {
    await this.queue.freeLeases();
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
      const jobs = await this.queue.claim(maxConcurrent);
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
      const isLast = job.attempts >= maxFailures;
      const { id, attempts } = job;
      this.deps.log({
        level: isLast ? 'error' : 'warn',
        message: isLast ? 'a job was abandoned' : failureMessage,
        ...{ queue, id, attempts },
        ...errorFields(error),
      });
      const { database, clock } = this.deps;
      if (isLast) await this.giveUp(job, error);
      const again = isLast ? null : isoTime(clock.now() + retryDelayAfter(attempts));
      await this.queue.settle(database, job, again);
    }
  }

  /** A job that cannot even be recorded as abandoned is removed as well: otherwise it would return forever. */
  private async giveUp(job: Job<Payload>, error: unknown): Promise<void> {
    const { giveUp, queue } = this.work;
    try {
      await giveUp?.(job, error);
    } catch (second) {
      if (!isRowFault(second)) throw second;
      const message = 'the end of a job could not be recorded';
      this.deps.log({ level: 'error', message, queue, id: job.id, ...errorFields(second) });
    }
  }
}
