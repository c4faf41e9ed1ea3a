// Processes a durable queue: claims a few due jobs at a time, when woken and at a fixed interval.
import { isoTime } from '../common/clock.ts';
import { errorFields, type Log } from '../common/log.ts';
import { type CoalescedRunner, createCoalescedRunner } from './coalesced-runner.ts';
import { type Job, JobQueue, type JobQueueDeps } from './job-queue.ts';
import { isRowFault, retryDelayAfter } from './poison-row-guard.ts';

interface QueueWork<Payload> {
  queue: string;
  /** Maximum concurrent jobs. */
  maxConcurrent: number;
  /**
   * Processes one job and settles it. A job that throws is retried later, and given up after several
   * attempts.
   */
  work(job: Job<Payload>): Promise<void>;
  /** Records that a job is given up, before it is removed. */
  giveUp?(job: Job<Payload>, error: unknown): Promise<void>;
  /** Log message for a job that is retried. */
  failureMessage: string;
}

const pollIntervalMs = 1000;
/** Maximum times a job may throw. */
const maxFailures = 5;

export class QueueWorker<Payload> {
  readonly queue: JobQueue<Payload>;
  private readonly deps: JobQueueDeps & { log: Log };
  private readonly work: QueueWork<Payload>;
  private readonly runner: CoalescedRunner;
  private closed = false;
  private stop: (() => void) | undefined;

  constructor(deps: JobQueueDeps & { log: Log }, work: QueueWork<Payload>) {
    this.deps = deps;
    this.work = work;
    this.queue = new JobQueue(deps, work.queue);
    this.runner = createCoalescedRunner(() => this.drain());
  }

  async start(): Promise<void> {
    await this.queue.freeLeases();
    this.stop = this.deps.clock.every(pollIntervalMs, () => this.wake());
    this.wake();
  }

  /** Checks for due jobs now instead of at the next interval. */
  wake(): void {
    if (!this.closed) void this.runner.run();
  }

  /** Resolves when no job is running or due. */
  async idle(): Promise<void> {
    await this.runner.run();
    await this.runner.idle();
  }

  /** Waits for running jobs. */
  async close(): Promise<void> {
    this.closed = true;
    this.stop?.();
    await this.runner.idle();
  }

  private async drain(): Promise<void> {
    const { maxConcurrent, failureMessage } = this.work;
    try {
      for (let taken = maxConcurrent; taken === maxConcurrent && !this.closed; ) {
        const jobs = await this.queue.claim(maxConcurrent);
        taken = jobs.length;
        await Promise.all(jobs.map((job) => this.runJob(job)));
      }
    } catch (error) {
      this.deps.log({ level: 'warn', message: failureMessage, ...errorFields(error) });
    }
  }

  /**
   * A job that throws is retried after the others; after a database failure it is left until its lease
   * expires.
   */
  private async runJob(job: Job<Payload>): Promise<void> {
    const { work, giveUp, failureMessage, queue } = this.work;
    try {
      return await work(job);
    } catch (error) {
      if (!isRowFault(error)) throw error;
      const isLast = job.attempts >= maxFailures;
      const { id, attempts } = job;
      this.deps.log({
        level: isLast ? 'error' : 'warn',
        message: isLast ? 'a job was given up' : failureMessage,
        ...{ queue, id, attempts },
        ...errorFields(error),
      });
      const { database, clock } = this.deps;
      const again = isLast ? null : isoTime(clock.now() + retryDelayAfter(attempts));
      if (isLast)
        await giveUp?.(job, error).catch((second: unknown) => {
          if (!isRowFault(second)) throw second;
        });
      await this.queue.settle(database, job, again);
    }
  }
}
