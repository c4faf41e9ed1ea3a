// Works off a durable queue: what is due is claimed a handful at a time, when woken and on a beat.
import { isoTime } from '../common/clock.ts';
import { errorFields, type Log } from '../common/log.ts';
import { type CoalescedRunner, createCoalescedRunner } from './coalesced-runner.ts';
import { type Job, JobQueue, type JobQueueDeps } from './job-queue.ts';
import { isRowFault, retryDelayAfter } from './poison-row-guard.ts';

interface QueueWork<Payload> {
  queue: string;
  /** Jobs under way at once. */
  maxConcurrent: number;
  /** Does one job and settles it. A job that throws is done again later, and given up after some times. */
  work(job: Job<Payload>): Promise<void>;
  /** Writes down that a job is given up, before it is removed. */
  giveUp?(job: Job<Payload>, error: unknown): Promise<void>;
  /** For the log, when jobs have to wait. */
  failureMessage: string;
}

const pollIntervalMs = 1000;
/** Times that a job may throw. */
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

  /** Looks for what is due now instead of at the next beat. */
  wake(): void {
    if (!this.closed) void this.runner.run();
  }

  /** Resolves when nothing is under way or due now. */
  async idle(): Promise<void> {
    await this.runner.run();
    await this.runner.idle();
  }

  /** Lets what is under way end. */
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

  /** A job that throws is put behind the others; what the store is to blame for is left to the end of the lease. */
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
