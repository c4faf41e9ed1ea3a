// Works off a durable queue: what is due is claimed a handful at a time, when woken and on a beat.
import { isoTime } from '../clock.ts';
import { errorFacts, type Log } from '../log.ts';
import { type Job, JobQueue, type JobQueueDeps } from './job-queue.ts';
import { type OneAtATime, oneAtATime } from './one-at-a-time.ts';
import { isRowFault, setAsideFor } from './row-guard.ts';

interface Work<Payload> {
  queue: string;
  /** Jobs under way at once. */
  atOnce: number;
  /** Does one job and settles it. A job that throws is done again later, and given up after some times. */
  work(job: Job<Payload>): Promise<void>;
  /** Writes down that a job is given up, before it is removed. */
  giveUp?(job: Job<Payload>, error: unknown): Promise<void>;
  /** For the log, when jobs have to wait. */
  failure: string;
}

const pollIntervalMs = 1000;
/** Times that a job may throw. */
const maxThrows = 5;

export class QueueWorker<Payload> {
  readonly queue: JobQueue<Payload>;
  private readonly deps: JobQueueDeps & { log: Log };
  private readonly task: Work<Payload>;
  private readonly line: OneAtATime;
  private closed = false;
  private stop: (() => void) | undefined;

  constructor(parts: JobQueueDeps & { log: Log }, task: Work<Payload>) {
    this.deps = parts;
    this.task = task;
    this.queue = new JobQueue(parts, task.queue);
    this.line = oneAtATime(() => this.workOff());
  }

  async start(): Promise<void> {
    await this.queue.freeLeases();
    this.stop = this.deps.clock.every(pollIntervalMs, () => this.wake());
    this.wake();
  }

  /** Looks for what is due now instead of at the next beat. */
  wake(): void {
    if (!this.closed) void this.line.run();
  }

  /** Resolves when nothing is under way or due now. */
  async idle(): Promise<void> {
    await this.line.run();
    await this.line.idle();
  }

  /** Lets what is under way end. */
  async close(): Promise<void> {
    this.closed = true;
    this.stop?.();
    await this.line.idle();
  }

  private async workOff(): Promise<void> {
    const { atOnce, failure } = this.task;
    try {
      for (let taken = atOnce; taken === atOnce && !this.closed; ) {
        const jobs = await this.queue.claim(atOnce);
        taken = jobs.length;
        await Promise.all(jobs.map((job) => this.doOne(job)));
      }
    } catch (error) {
      this.deps.log({ level: 'warn', message: failure, ...errorFacts(error) });
    }
  }

  /** A job that throws is put behind the others; what the store is to blame for is left to the end of the lease. */
  private async doOne(job: Job<Payload>): Promise<void> {
    const { work, giveUp, failure, queue } = this.task;
    try {
      return await work(job);
    } catch (error) {
      if (!isRowFault(error)) throw error;
      const isLast = job.attempts >= maxThrows;
      const { id, attempts } = job;
      this.deps.log({
        level: isLast ? 'error' : 'warn',
        message: isLast ? 'a job was given up' : failure,
        ...{ queue, id, attempts },
        ...errorFacts(error),
      });
      const { database, clock } = this.deps;
      const again = isLast ? null : isoTime(clock.now() + setAsideFor(attempts));
      if (isLast)
        await giveUp?.(job, error).catch((second: unknown) => {
          if (!isRowFault(second)) throw second;
        });
      await this.queue.settle(database, job, again);
    }
  }
}
