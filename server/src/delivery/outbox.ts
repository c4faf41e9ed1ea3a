// Sends the mails and webhooks of one queue of the job table: stored in the transaction that causes them, sent
// after its commit, retried for a day.
import type { Clock } from '../common/clock.ts';
import { errorFields } from '../common/log.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { retryWhileUnavailable } from '../db/retry-while-unavailable.ts';
import type { Job, JobQueueName } from '../jobs/job-queue.ts';
import { faultText, isRowFault } from '../jobs/poison-row-guard.ts';
import { QueueWorker, type QueueWorkerDeps } from '../jobs/queue-worker.ts';
import { retryAt } from './backoff.ts';
import { type DeliveryMeta, failedResult, type SendResult } from './send-result.ts';

/** A mail or webhook that waits. */
export interface OutgoingItem {
  /** Id of the delivery, the same for all attempts. */
  id: string;
  /** ISO 8601; retries end a day later. */
  createdAt: string;
  send(meta: DeliveryMeta): Promise<SendResult>;
}

/** An attempt to be recorded. */
export interface OutboxAttempt {
  /** Starts at 1. */
  number: number;
  result: SendResult;
  /** Time of the next attempt (ISO 8601); null if this was the last one. */
  nextAt: string | null;
}

export interface OutboxOptions<Payload> {
  queue: JobQueueName;
  /** Maximum concurrent attempts. */
  maxConcurrent: number;
  /** Maximum attempts; without it, only the time of retries is limited. */
  maxAttempts?: number;
  /** Log message for a failed attempt. */
  failureMessage: string;
  /** Reads what a job sends; null if it is not wanted any more. */
  read(payload: Payload): Promise<OutgoingItem | null>;
  /** Records an attempt in the transaction that ends or reschedules the job. */
  record?(tx: Transaction, payload: Payload, attempt: OutboxAttempt): Promise<void>;
}

export interface OutboxDeps extends QueueWorkerDeps {
  clock: Clock;
  /** Returns a number from 0 to 1 for the jitter of retries. */
  random: () => number;
}

export class Outbox<Payload> {
  private readonly deps: OutboxDeps;
  private readonly options: OutboxOptions<Payload>;
  private readonly worker: QueueWorker<Payload>;
  private readonly closing = new AbortController();

  constructor(deps: OutboxDeps, options: OutboxOptions<Payload>) {
    this.deps = deps;
    this.options = options;
    const { queue, maxConcurrent, failureMessage, record } = options;
    this.worker = new QueueWorker<Payload>(deps, {
      ...{ queue, maxConcurrent, failureMessage },
      work: (job) => this.process(job),
      giveUp: async (tx, { payload, attempts }, error) =>
        record?.(tx, payload, { number: attempts, result: thrownResult(error), nextAt: null }),
    });
  }

  /** Stores what is to be sent, in the transaction that causes it. Call `wake` after the commit. */
  add(tx: Queryable, spaceId: string, payload: Payload): Promise<void> {
    return this.worker.queue.add(tx, spaceId, payload);
  }

  start(): Promise<void> {
    return this.worker.start();
  }

  /** Sends what is due now instead of at the next interval. */
  wake(): void {
    this.worker.wake();
  }

  /** Resolves when nothing is being sent or due. */
  idle(): Promise<void> {
    return this.worker.idle();
  }

  /** Waits for running attempts, but not for a database that is away. */
  close(): Promise<void> {
    this.closing.abort();
    return this.worker.close();
  }

  private async process(job: Job<Payload>): Promise<void> {
    const { database, clock, log } = this.deps;
    const { queue, read, maxAttempts = Number.POSITIVE_INFINITY, failureMessage } = this.options;
    const item = await read(job.payload);
    if (!item) return void (await this.worker.queue.settle(database, job, null));
    if (Number.isNaN(Date.parse(item.createdAt))) throw new Error('the job has no time of creation');
    const number = job.attempts;
    const meta = { deliveryId: item.id, attempt: number, timestamp: clock.now() };
    const result = await sendItem(item, meta);
    const nextAt =
      number < maxAttempts ? retryAt(result, { attempt: number, firstAt: item.createdAt }, this.deps) : null;
    if (result.outcome === 'failed' && (number === 1 || nextAt === null)) {
      const { word: reason } = result.reason;
      log({ level: 'warn', message: failureMessage, queue, id: item.id, attempt: number, reason, nextAt });
    }
    // The attempt was made: it must not be repeated because the database is away for a while.
    await retryWhileUnavailable(() => this.settleOrForget(job, { number, result, nextAt }), {
      ...{ clock, signal: this.closing.signal },
      onUnavailable: (error) => this.logUnrecorded('warn', job, error),
    });
  }

  /**
   * The attempt was made, so the job must not repeat it because the record is rejected: it is recorded without
   * the response, or not at all.
   */
  private async settleOrForget(job: Job<Payload>, attempt: OutboxAttempt): Promise<void> {
    try {
      await this.settle(job, attempt);
    } catch (error) {
      this.logRefused(job, error);
      const { reason, reply } = thrownResult(error);
      await this.settle(job, { ...attempt, result: { ...attempt.result, reason, reply } }).catch((second) => {
        this.logRefused(job, second);
        return this.worker.queue.settle(this.deps.database, job, attempt.nextAt);
      });
    }
  }

  private async settle(job: Job<Payload>, attempt: OutboxAttempt): Promise<void> {
    await this.deps.database.transaction(async (tx) => {
      if (await this.worker.queue.settle(tx, job, attempt.nextAt))
        await this.options.record?.(tx, job.payload, attempt);
    });
  }

  /** Throws errors not caused by the row. */
  private logRefused(job: Job<Payload>, error: unknown): void {
    if (!isRowFault(error)) throw error;
    this.logUnrecorded('error', job, error);
  }

  private logUnrecorded(level: 'warn' | 'error', { id }: Job<Payload>, error: unknown): void {
    const message = 'the outcome of an attempt could not be stored';
    this.deps.log({ level, message, queue: this.options.queue, id, ...errorFields(error) });
  }
}

async function sendItem(item: OutgoingItem, meta: DeliveryMeta): Promise<SendResult> {
  try {
    return await item.send(meta);
  } catch (error) {
    return thrownResult(error);
  }
}

/** An error that a sender threw. */
function thrownResult(error: unknown): SendResult {
  return failedResult('delivery.threw', { detail: faultText(error) }, { retry: true });
}
