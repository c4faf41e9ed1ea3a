// Sends what triggers fired: at least once, with a stable id, again and again for a day, every attempt on the record.
import type { Attempt } from '@yagura/core/alerthub/action-record';
import { type Clock, isoTime } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { retryAt } from '../delivery/backoff.ts';
import { failure, type SendResult } from '../delivery/send-result.ts';
import { Batcher, Refused } from '../jobs/batcher.ts';
import { JobQueue, leaseTime } from '../jobs/job-queue.ts';
import { oneAtATime } from '../jobs/one-at-a-time.ts';
import { doWithoutFaulty, faultText } from '../jobs/row-guard.ts';
import { errorFacts, type Log } from '../log.ts';
import type { ChangeBus } from '../resource/change-bus.ts';
import type { Sealing } from '../resource/sealed-fields.ts';
import {
  claimDeliveries,
  type Delivery,
  deliveryQueue,
  endDelivery,
  type Outcome,
  storeOutcomes,
} from './delivery-store.ts';
import { DeliveryTargets, reach } from './delivery-targets.ts';

/** Sends one request of a kind; never throws. */
export type Send = (delivery: Delivery) => Promise<SendResult>;

export interface DeliveryDeps {
  database: Database;
  clock: Clock;
  log: Log;
  changes: ChangeBus;
  sealing: Sealing;
  send: Send;
  random: () => number;
  /** Names this process in leases. */
  instance: string;
  /** Milliseconds after which people are told of a delivery that has not arrived. */
  tellAfter: number;
}

/** Attempts under way at once, those of them and of what has ended that are not on the record, and what is held in memory. */
const maxConcurrent = 64;
const maxUnrecorded = 128;
const maxBuffered = 200;
/** What waits for a slow target goes back to the queue for this long, so that it keeps no place from others. */
const setAside = 2000;
/** A stop waits this long for attempts under way; what is cut is made again after the next start. */
const shutdownTimeoutMs = 5000;
const pollIntervalMs = 1000;

export class Deliveries {
  private readonly deps: DeliveryDeps;
  private readonly held: { delivery: Delivery; target: string }[] = [];
  /** Attempts under way. */
  private sending = 0;
  /** Attempts that are not on the record yet, those under way among them. */
  private active = 0;
  private readonly targets: DeliveryTargets;
  private cancelLook: (() => void) | undefined;
  private closed = false;
  /** True while due deliveries may wait in the store. */
  private behind = false;
  private readonly claims = oneAtATime(() => this.claimDue());
  private stop: (() => void) | undefined;
  private readonly outcomes: Batcher<Outcome, undefined>;

  constructor(deps: DeliveryDeps) {
    this.deps = deps;
    this.targets = new DeliveryTargets(() => deps.clock.now());
    this.outcomes = new Batcher((list) => this.recordAll(list), {
      items: 500,
      bytes: Number.MAX_SAFE_INTEGER,
      waitingItems: Number.MAX_SAFE_INTEGER,
      waitingBytes: Number.MAX_SAFE_INTEGER,
    });
  }

  async start(): Promise<void> {
    await new JobQueue(this.deps, deliveryQueue).freeLeases();
    this.stop = this.deps.clock.every(pollIntervalMs, () => void this.claims.run());
    await this.claims.run();
  }

  /** How many new deliveries this process takes at once, and the lease to write for them. */
  lease(): { count: number; by: string; until: string } {
    const count = this.closed ? 0 : Math.max(maxBuffered - this.held.length, 0);
    return { count, by: this.deps.instance, until: isoTime(this.deps.clock.now() + leaseTime) };
  }

  /** Sends what was leased with its creation; `more` says that others were queued without a lease. */
  take(deliveries: readonly Delivery[], more = false): void {
    this.behind ||= more;
    for (const delivery of deliveries) this.held.push({ delivery, target: targetOf(delivery) });
    this.pump();
    this.setAsideSurplus();
  }

  /** Resolves when nothing is under way or due now. */
  async idle(): Promise<void> {
    do {
      await this.claims.run();
      while (this.active > 0 || this.held.length > 0) await new Promise((resolve) => setImmediate(resolve));
      await this.outcomes.drained();
    } while (this.held.length > 0 || this.active > 0);
  }

  /** Lets attempts under way end; what is only held goes back to the queue. */
  async close(): Promise<void> {
    this.closed = true;
    this.stop?.();
    this.cancelLook?.();
    await this.claims.idle();
    const back = this.held.splice(0).map(({ delivery }) => delivery.jobId);
    for (let waited = 0; this.active > 0 && waited < shutdownTimeoutMs; waited += 10) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await this.outcomes.drained();
    await this.giveBack(back, 0);
  }

  /** Frees leases of deliveries that were not tried. */
  private async giveBack(jobIds: string[], delay: number): Promise<void> {
    if (jobIds.length === 0) return;
    await this.deps.database.query(
      `update job set run_at = $1, locked_by = null, attempts = attempts - 1
       where id = any($2::bigint[]) and locked_by = $3`,
      [isoTime(this.deps.clock.now() + delay), jobIds, this.deps.instance],
    );
  }

  private async claimDue(): Promise<void> {
    const room = maxBuffered - this.held.length;
    if (this.closed || room <= 0) return;
    try {
      const { deliveries, claimed } = await claimDeliveries(this.deps, room);
      this.behind = claimed === room;
      this.take(deliveries);
    } catch (error) {
      this.deps.log({
        level: 'warn',
        message: 'deliveries could not be claimed, will be tried again',
        ...errorFacts(error),
      });
    }
  }

  private pump(): void {
    for (let at = 0; at < this.held.length && this.mayBegin(); ) {
      const { delivery, target } = this.held[at]!;
      if (this.targets.hasPlace(target)) {
        this.held.splice(at, 1);
        this.begin(delivery, target);
      } else at++;
    }
    // The few that are kept for one silent target do not make room for more of its kind at once.
    if (this.behind && this.held.length + this.sending < maxConcurrent / 2) void this.claims.run();
  }

  private mayBegin(): boolean {
    return this.sending < maxConcurrent && this.active < maxUnrecorded && !this.closed;
  }

  /** The next attempt at a target need not wait until the one before it is on the record. */
  private begin(delivery: Delivery, target: string): void {
    const begunAt = this.deps.clock.now();
    this.sending++;
    this.active++;
    this.targets.begin(target);
    void this.attempt(delivery)
      .then((result) => {
        this.sending--;
        this.targets.end(target, begunAt);
        this.pump();
        return this.conclude(delivery, result, begunAt);
      })
      .finally(() => {
        this.active--;
        this.pump();
      });
  }

  /** Whatever goes wrong with one delivery is an attempt that failed. */
  private async attempt(delivery: Delivery): Promise<SendResult> {
    try {
      return await this.deps.send(delivery);
    } catch (error) {
      const { actionRecordId } = delivery;
      this.deps.log({ level: 'error', message: 'a delivery threw', actionRecordId, ...errorFacts(error) });
      return failure('delivery.threw', { detail: faultText(error) }, { retry: true });
    }
  }

  /** A target may not fill what is held: all but what it takes soon goes back to the queue. */
  private setAsideSurplus(): void {
    if (this.closed || this.held.length <= maxConcurrent) return;
    const kept = new Map<string, number>();
    const slow: string[] = [];
    const crowded: string[] = [];
    const stay = this.held.splice(0).filter(({ delivery, target }) => {
      const waiting = (kept.get(target) ?? 0) + 1;
      kept.set(target, waiting);
      if (this.targets.hasPlace(target) || waiting <= this.targets.mostWaiting(target)) return true;
      (this.targets.isSlow(target) ? slow : crowded).push(delivery.jobId);
      return false;
    });
    this.held.push(...stay);
    if (stay.length > maxConcurrent || crowded.length > 0) this.lookAgain();
    Promise.all([this.giveBack(slow, setAside), this.giveBack(crowded, reach)]).catch((error) => {
      // Their leases run out by themselves.
      this.deps.log({ level: 'warn', message: 'deliveries could not be set aside', ...errorFacts(error) });
    });
  }

  /** After a while a silent target shows itself, and what was set aside for a fast one is due. */
  private lookAgain(): void {
    this.cancelLook ??= this.deps.clock.after(reach, () => {
      this.cancelLook = undefined;
      this.behind = true;
      this.pump();
      this.setAsideSurplus();
    });
  }

  private async conclude(delivery: Delivery, result: SendResult, begunAt: number): Promise<void> {
    const { clock } = this.deps;
    const made = { attempt: delivery.attempt - (delivery.before ?? 0), firstAt: delivery.createdAt };
    const again = retryAt(result, made, this.deps);
    const attempt: Attempt = {
      number: delivery.attempt,
      startedAt: isoTime(begunAt),
      endedAt: isoTime(clock.now()),
      outcome: result.outcome,
      statusCode: result.statusCode,
      reason: result.reason,
      reply: result.reply,
    };
    const status = result.outcome === 'succeeded' ? 'succeeded' : again ? 'waiting' : 'failed';
    const late = again !== null && Date.parse(again) - Date.parse(delivery.createdAt) >= this.deps.tellAfter;
    try {
      await this.outcomes.add({ delivery, attempt, status, nextAt: again, late, answer: result.answer });
    } catch (error) {
      // The lease runs out and the delivery is made again: at least once.
      this.deps.log({ level: 'warn', message: 'an attempt could not be recorded', ...errorFacts(error) });
    }
  }

  /** An outcome that the store refuses is recorded without what the target said, or at least ended. */
  private async recordAll(list: Outcome[]): Promise<(undefined | Refused)[]> {
    const refused = new Map<Outcome, Refused>();
    const record = (some: readonly Outcome[]) => this.record(some);
    await doWithoutFaulty(list, record, async (outcome, error) => {
      const { delivery, attempt } = outcome;
      const { actionRecordId } = delivery;
      const message = 'the outcome of a delivery could not be stored';
      this.deps.log({ level: 'error', message, actionRecordId, ...errorFacts(error) });
      const reason = { word: 'delivery.threw', params: { detail: faultText(error) } };
      const plain = { ...outcome, attempt: { ...attempt, reason, reply: null }, answer: undefined };
      await doWithoutFaulty([plain], record, async (_plain, second) => {
        refused.set(outcome, new Refused(second));
        const { database, instance, clock } = this.deps;
        await endDelivery(database, instance, isoTime(clock.now()), delivery);
      });
    });
    return list.map((outcome) => refused.get(outcome));
  }

  private async record(list: readonly Outcome[]): Promise<void> {
    const { database, instance, changes, clock } = this.deps;
    const at = isoTime(clock.now());
    const answered = await storeOutcomes(database, instance, at, list);
    const told = (spaceId: string, resource: string, id: string) =>
      ({ spaceId, resource, id, op: 'update', at }) as const;
    changes.publish([
      ...answered.map((row) => told(row.space_id, 'runbook-record', row.runbook_record_id)),
      ...list.map(({ delivery }) => told(delivery.spaceId, 'action-record', delivery.actionRecordId)),
    ]);
  }
}

/** What deliveries share a fate: the host of a webhook, an on-site agent, or the mail server. */
function targetOf({ kind, request }: Delivery): string {
  const { url, ksocketSlotId } = (request ?? {}) as { url?: string; ksocketSlotId?: string };
  if (ksocketSlotId) return ksocketSlotId;
  return kind === 'webhook' && url && URL.canParse(url) ? new URL(url).host : kind;
}
