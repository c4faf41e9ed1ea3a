// Sends the deliveries of fired triggers: at least once, with a stable id, retried for a day, every attempt
// recorded.
import { isoTime } from '../../common/clock.ts';
import { errorFields } from '../../common/log.ts';
import { SpaceShares } from '../../common/spaces/space-shares.ts';
import { failedResult, type SendResult } from '../../delivery/send-result.ts';
import type { ClaimGuard } from '../../jobs/claim-guard.ts';
import { guardJobClaims } from '../../jobs/job-claims.ts';
import { JobQueue, leaseMs } from '../../jobs/job-queue.ts';
import { JobLeases } from '../../jobs/leases/job-leases.ts';
import { PeriodicJob } from '../../jobs/periodic-job.ts';
import { faultText } from '../../jobs/poison-row-guard.ts';
import type { Sealing } from '../../resource/sealing/sealed-fields.ts';
import { AttemptRecorder, type AttemptRecorderDeps } from './attempt-recorder.ts';
import {
  type ClaimedRow,
  claimDeliveries,
  type Delivery,
  type DeliveryPayload,
  deliveryQueue,
  failUnclaimed,
  readDeliveries,
  readWholeDelivery,
  shareOf,
  withoutLargeRequest,
} from './delivery-store.ts';
import { DeliveryTargets, queueWindowMs, targetOf } from './delivery-targets.ts';
import { redactResult } from './redact-result.ts';

/** Sends one request of a kind; never throws. */
export type Send = (delivery: Delivery) => Promise<SendResult>;

export interface DeliveryDeps extends AttemptRecorderDeps {
  sealing: Sealing;
  send: Send;
}

/**
 * Limits: concurrent attempts, unrecorded attempts (running ones included), deliveries buffered in memory. Spaces share
 * the first and the last.
 */
const maxConcurrent = 64;
const maxUnrecorded = 128;
const maxBuffered = 200;
/**
 * Milliseconds for which surplus deliveries to a slow target return to the queue, so that they do not block
 * others.
 */
const requeueDelayMs = 2000;
/** Milliseconds that shutdown waits for running attempts; aborted ones are repeated after the next start. */
const shutdownTimeoutMs = 5000;
const pollIntervalMs = 1000;

export class Deliveries {
  private readonly deps: DeliveryDeps;
  private readonly buffered: { delivery: Delivery; target: string }[] = [];
  /** Running attempts. */
  private readonly sending = new SpaceShares({ max: maxConcurrent });
  /** Attempts not yet recorded, including running ones. */
  private unrecordedCount = 0;
  private readonly targets: DeliveryTargets;
  private cancelRecheck: (() => void) | undefined;
  private closed = false;
  /** Set while due deliveries may be waiting in the database, of other spaces than these. */
  private backlogExcept: ReadonlySet<string> | undefined;
  private readonly claiming: PeriodicJob;
  private readonly claims: ClaimGuard<ClaimedRow>;
  /** Of buffered deliveries and of attempts that are not recorded yet. */
  private readonly leases: JobLeases;
  private readonly recorder: AttemptRecorder;

  constructor(deps: DeliveryDeps) {
    this.deps = deps;
    const { clock, log } = deps;
    this.targets = new DeliveryTargets(() => clock.now());
    this.claiming = new PeriodicJob({
      ...{ clock, log },
      intervalMs: pollIntervalMs,
      failureMessage: 'deliveries could not be claimed, will be tried again',
      work: () => this.claimDue(),
    });
    this.claims = guardJobClaims<ClaimedRow, DeliveryPayload>(deps, {
      queue: deliveryQueue,
      claim: (values) => claimDeliveries(deps.database, values),
      fullSpaces: () => this.bufferShares.full,
      giveUp: (tx, job, error) => failUnclaimed(tx, job, error, isoTime(clock.now())),
    });
    this.leases = new JobLeases(deps, (lost) => this.onRenewed(lost));
    this.recorder = new AttemptRecorder(deps);
  }

  async start(): Promise<void> {
    await new JobQueue(this.deps, deliveryQueue).freeLeases(this.deps.log);
    this.leases.start();
    this.claiming.start();
    await this.claiming.runNow();
  }

  /** Number of new deliveries of a space that this process can take immediately, and the lease to write for them. */
  lease(spaceId: string): { count: number; by: string; until: string } {
    const count = this.closed ? 0 : this.bufferShares.freeFor(spaceId);
    return { count, by: this.deps.instance, until: isoTime(this.deps.clock.now() + leaseMs) };
  }

  /**
   * Sends deliveries that were leased when they were created; `more` means that others were queued without a
   * lease.
   */
  enqueue(deliveries: readonly Delivery[], more = false): void {
    if (more) this.backlogExcept ??= new Set();
    this.buffer(deliveries, ({ createdAt }) => Date.parse(createdAt));
  }

  /** Resolves when no attempt is running and nothing is due. */
  async idle(): Promise<void> {
    do {
      await this.claiming.runNow();
      while (this.unrecordedCount > 0 || this.buffered.length > 0) {
        this.recorder.flush();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await this.recorder.drained();
    } while (this.buffered.length > 0 || this.unrecordedCount > 0);
  }

  /** Waits for running attempts; buffered deliveries return to the queue. */
  async close(): Promise<void> {
    this.closed = true;
    this.cancelRecheck?.();
    await this.claiming.close();
    await this.leases.close();
    const back = this.buffered.splice(0).map(({ delivery }) => delivery.jobId);
    for (let waited = 0; this.unrecordedCount > 0 && waited < shutdownTimeoutMs; waited += 10) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await this.recorder.close();
    await this.returnToQueue(back, 0);
  }

  /** Releases the leases of deliveries that were not attempted. */
  private async returnToQueue(jobIds: string[], delay: number): Promise<void> {
    if (jobIds.length === 0) return;
    try {
      await this.deps.database.query(
        `update job set run_at = $1, locked_by = null, attempts = attempts - 1
         where id = any($2::bigint[]) and locked_by = $3`,
        [isoTime(this.deps.clock.now() + delay), jobIds, this.deps.instance],
      );
    } finally {
      this.leases.release(jobIds);
    }
  }

  /** The places of buffered deliveries. */
  private get bufferShares(): SpaceShares {
    const spaces = this.buffered.map(({ delivery }) => shareOf(delivery));
    return new SpaceShares({ max: maxBuffered }, spaces);
  }

  private async claimDue(): Promise<void> {
    for (let room = maxBuffered - this.buffered.length; room > 0 && !this.closed; ) {
      const { freeForOne, full } = this.bufferShares;
      if (freeForOne === 0) return;
      const leasedAt = this.deps.clock.now();
      const claimed = await this.claims.claim(freeForOne, this.leases.ids);
      const isCut = claimed.length === freeForOne;
      // Those of full spaces wait until some of them have been sent.
      this.backlogExcept = isCut || full.length > 0 ? new Set(isCut ? full : []) : undefined;
      this.buffer(await readDeliveries(this.deps, claimed), () => leasedAt);
      if (!isCut) return;
      room -= claimed.length;
    }
  }

  /** Drops buffered deliveries whose lease is lost: another process sends them. */
  private onRenewed(lost: ReadonlySet<string>): void {
    for (let at = this.buffered.length - 1; at >= 0; at--) {
      const { jobId } = this.buffered[at]!.delivery;
      if (!lost.has(jobId)) continue;
      this.buffered.splice(at, 1);
      this.leases.release([jobId]);
    }
    this.startPending();
  }

  /** `leasedAt` returns when a delivery was leased, in milliseconds since the Unix epoch. */
  private buffer(deliveries: readonly Delivery[], leasedAt: (delivery: Delivery) => number): void {
    for (const delivery of deliveries) {
      this.leases.hold([delivery.jobId], leasedAt(delivery));
      this.buffered.push({ delivery, target: targetOf(delivery) });
    }
    this.startPending();
    for (const held of this.buffered) held.delivery = withoutLargeRequest(held.delivery);
    this.requeueSurplus();
  }

  private startPending(): void {
    let mayBeLost = false;
    for (let at = 0; at < this.buffered.length && this.canStart(); ) {
      const { delivery, target } = this.buffered[at]!;
      const isLeased = this.leases.coversAttempt(delivery.jobId);
      mayBeLost ||= !isLeased;
      if (isLeased && this.targets.hasCapacity(target) && this.sending.freeFor(shareOf(delivery)) > 0) {
        this.buffered.splice(at, 1);
        this.startAttempt(delivery, target);
      } else at++;
    }
    if (mayBeLost) void this.leases.renewNow();
    // Counts buffered ones too: a few kept for one unresponsive target must not trigger claiming more for the
    // same target.
    if (this.backlogExcept && this.countExcept(this.backlogExcept) < maxConcurrent / 2)
      void this.claiming.runNow();
  }

  /** Number of buffered deliveries and running attempts of other spaces. */
  private countExcept(spaces: ReadonlySet<string>): number {
    let count = this.sending.taken;
    for (const space of spaces) count -= this.sending.countOf(space);
    for (const { delivery } of this.buffered) if (!spaces.has(shareOf(delivery))) count += 1;
    return count;
  }

  private canStart(): boolean {
    return this.sending.taken < maxConcurrent && this.unrecordedCount < maxUnrecorded && !this.closed;
  }

  /** The next attempt to the same target need not wait until this one is recorded. */
  private startAttempt(delivery: Delivery, target: string): void {
    const startedAt = this.deps.clock.now();
    this.sending.take(shareOf(delivery));
    this.unrecordedCount++;
    this.targets.startAttempt(target);
    void this.attempt(delivery)
      .then((result) => {
        this.sending.release(shareOf(delivery));
        this.targets.endAttempt(target, startedAt);
        this.startPending();
        return this.recorder.record(delivery, result, startedAt);
      })
      .finally(() => {
        this.unrecordedCount--;
        this.leases.release([delivery.jobId]);
        this.startPending();
      });
  }

  /** Any error counts as a failed attempt. */
  private async attempt(delivery: Delivery): Promise<SendResult> {
    try {
      const whole = delivery.isPartial ? await readWholeDelivery(this.deps, delivery) : delivery;
      return redactResult(await this.deps.send(whole), whole.request);
    } catch (error) {
      const { actionRecordId } = delivery;
      this.deps.log({ level: 'error', message: 'a delivery threw', actionRecordId, ...errorFields(error) });
      return failedResult('delivery.threw', { detail: faultText(error) }, { retry: true });
    }
  }

  /**
   * Keeps one target from filling the buffer: returns its deliveries to the queue except those it can take
   * soon.
   */
  private requeueSurplus(): void {
    if (this.closed || this.buffered.length <= maxConcurrent) return;
    const countByTarget = new Map<string, number>();
    const slow: string[] = [];
    const crowded: string[] = [];
    const retained = this.buffered.splice(0).filter(({ delivery, target }) => {
      const waiting = (countByTarget.get(target) ?? 0) + 1;
      countByTarget.set(target, waiting);
      if (this.targets.hasCapacity(target) || waiting <= this.targets.maxWaiting(target)) return true;
      (this.targets.isSlow(target) ? slow : crowded).push(delivery.jobId);
      return false;
    });
    this.buffered.push(...retained);
    if (retained.length > maxConcurrent || crowded.length > 0) this.scheduleRecheck();
    Promise.all([this.returnToQueue(slow, requeueDelayMs), this.returnToQueue(crowded, queueWindowMs)]).catch(
      (error) => {
        // Their leases expire.
        this.deps.log({ level: 'warn', message: 'deliveries could not be set aside', ...errorFields(error) });
      },
    );
  }

  /**
   * By then an unresponsive target is known as slow, and deliveries deferred for a fast one are due again.
   */
  private scheduleRecheck(): void {
    this.cancelRecheck ??= this.deps.clock.after(queueWindowMs, () => {
      this.cancelRecheck = undefined;
      this.backlogExcept ??= new Set();
      this.startPending();
      this.requeueSurplus();
    });
  }
}
