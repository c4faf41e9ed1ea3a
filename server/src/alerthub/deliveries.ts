// Sends what triggers fired: at least once, with a stable id, again and again for a day, every attempt on the record.
import type { Attempt } from '@yagura/core/alerthub/action-record';
import type { Firing } from '@yagura/core/alerthub/decide/batch';
import { type Clock, isoTime } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { storeJson } from '../db/store-json.ts';
import { retryAt } from '../delivery/backoff.ts';
import type { SendResult } from '../delivery/send-result.ts';
import { Batcher } from '../jobs/batcher.ts';
import { claimStatement, claimValues, JobQueue, leaseTime } from '../jobs/job-queue.ts';
import { oneAtATime } from '../jobs/one-at-a-time.ts';
import { errorFacts, type Log } from '../log.ts';
import type { ChangeBus } from '../resource/change-bus.ts';
import { DeliveryTargets, reach } from './delivery-targets.ts';

/** One delivery that this process holds the lease of. */
export interface Delivery
  extends Pick<
    Firing,
    'actionRecordId' | 'actionId' | 'kind' | 'request' | 'deliveryId' | 'runbookRecordId'
  > {
  jobId: string;
  spaceId: string;
  /** From 1; also the fence against a lease that ran out. */
  attempt: number;
  /** Time from which the day of attempts is counted, ISO 8601. */
  createdAt: string;
  /** Attempts made before somebody sent it again by hand; 0 when absent. */
  before?: number;
}

/** Sends one request of a kind; never throws. */
export type Send = (delivery: Delivery) => Promise<SendResult>;

interface Outcome {
  delivery: Delivery;
  attempt: Attempt;
  status: 'waiting' | 'succeeded' | 'failed';
  nextAt: string | null;
  answer: SendResult['answer'];
}

export interface DeliveryParts {
  database: Database;
  clock: Clock;
  log: Log;
  changes: ChangeBus;
  send: Send;
  random: () => number;
  /** Names this process in leases. */
  instance: string;
}

/** Attempts under way at once, those of them and of what has ended that are not on the record, and what is held in memory. */
const mostAtOnce = 64;
const mostUnrecorded = 128;
const mostHeld = 200;
/** What waits for a slow target goes back to the queue for this long, so that it keeps no place from others. */
const setAside = 2000;
/** A stop waits this long for attempts under way; what is cut is made again after the next start. */
const patience = 5000;
const queue = 'delivery';
const pollEvery = 1000;

/**
 * Its rows are named once more by their keys ($4 jobs, $5 action records), so that no plan of it reads a table from end to
 * end: a plan made while the tables are small is kept as they grow.
 */
const finish = {
  name: 'finish-deliveries',
  text: `
    with given as (
      select * from jsonb_to_recordset($1::jsonb)
        as x(job_id bigint, number int, action_record_id uuid, attempt jsonb, status text, next_at timestamptz, output jsonb)
    ), mine as (
      select j.id, g.* from given g join job j on j.id = g.job_id and j.locked_by = $2 and j.attempts = g.number
      where j.id = any($4::bigint[]) for update of j
    ), done as (
      delete from job where id = any($4::bigint[]) and id in (select id from mine where next_at is null)
    ), again as (
      update job set run_at = m.next_at, locked_by = null from mine m
      where job.id = any($4::bigint[]) and job.id = m.id and m.next_at is not null
    ), answered as (
      update runbook_record b set due_at = $3::timestamptz, updated_at = $3::timestamptz from mine m
      where b.waits_for = any($5::uuid[]) and b.waits_for = m.action_record_id and m.next_at is null
      returning b.space_id, b.runbook_record_id
    ), written as (
    update action_record r set output = coalesce(g.output, r.output), attempts = r.attempts || g.attempt, updated_at = $3::timestamptz,
      status = case when m.id is null then r.status else g.status end,
      next_attempt_at = case when m.id is null then r.next_attempt_at else g.next_at end
    from given g left join mine m on m.job_id = g.job_id
    where r.action_record_id = any($5::uuid[]) and r.action_record_id = g.action_record_id
    )
    select space_id, runbook_record_id from answered`,
};

export class Deliveries {
  private readonly parts: DeliveryParts;
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

  constructor(parts: DeliveryParts) {
    this.parts = parts;
    this.targets = new DeliveryTargets(() => parts.clock.now());
    this.outcomes = new Batcher((list) => this.record(list), {
      items: 500,
      bytes: Number.MAX_SAFE_INTEGER,
      waitingItems: Number.MAX_SAFE_INTEGER,
      waitingBytes: Number.MAX_SAFE_INTEGER,
    });
  }

  async start(): Promise<void> {
    await new JobQueue(this.parts, queue).freeLeases();
    this.stop = this.parts.clock.every(pollEvery, () => void this.claims.run());
    await this.claims.run();
  }

  /** How many new deliveries this process takes at once, and the lease to write for them. */
  lease(): { count: number; by: string; until: string } {
    const count = this.closed ? 0 : Math.max(mostHeld - this.held.length, 0);
    return { count, by: this.parts.instance, until: isoTime(this.parts.clock.now() + leaseTime) };
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
    for (let waited = 0; this.active > 0 && waited < patience; waited += 10) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await this.outcomes.drained();
    await this.giveBack(back, 0);
  }

  /** Frees leases of deliveries that were not tried. */
  private async giveBack(jobIds: string[], delay: number): Promise<void> {
    if (jobIds.length === 0) return;
    await this.parts.database.query(
      `update job set run_at = $1, locked_by = null, attempts = attempts - 1
       where id = any($2::bigint[]) and locked_by = $3`,
      [isoTime(this.parts.clock.now() + delay), jobIds, this.parts.instance],
    );
  }

  private async claimDue(): Promise<void> {
    const room = mostHeld - this.held.length;
    if (this.closed || room <= 0) return;
    try {
      const { rows } = await this.parts.database.query<ClaimedRow>(claimText, claimValues(this.parts, room));
      this.behind = rows.length === room;
      this.take(
        rows.map((row) => ({
          jobId: row.id,
          attempt: row.attempts,
          actionRecordId: row.action_record_id,
          actionId: row.action_id,
          spaceId: row.space_id,
          kind: row.kind,
          request: row.request,
          deliveryId: row.delivery_id,
          createdAt: row.since ?? row.created_at,
          before: row.before,
          runbookRecordId: row.runbook_record_id,
        })),
      );
    } catch (error) {
      this.parts.log({
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
    if (this.behind && this.held.length + this.sending < mostAtOnce / 2) void this.claims.run();
  }

  private mayBegin(): boolean {
    return this.sending < mostAtOnce && this.active < mostUnrecorded && !this.closed;
  }

  /** The next attempt at a target need not wait until the one before it is on the record. */
  private begin(delivery: Delivery, target: string): void {
    const begunAt = this.parts.clock.now();
    this.sending++;
    this.active++;
    this.targets.begin(target);
    void this.parts
      .send(delivery)
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

  /** A target may not fill what is held: all but what it takes soon goes back to the queue. */
  private setAsideSurplus(): void {
    if (this.closed || this.held.length <= mostAtOnce) return;
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
    if (stay.length > mostAtOnce || crowded.length > 0) this.lookAgain();
    Promise.all([this.giveBack(slow, setAside), this.giveBack(crowded, reach)]).catch((error) => {
      // Their leases run out by themselves.
      this.parts.log({ level: 'warn', message: 'deliveries could not be set aside', ...errorFacts(error) });
    });
  }

  /** After a while a silent target shows itself, and what was set aside for a fast one is due. */
  private lookAgain(): void {
    this.cancelLook ??= this.parts.clock.after(reach, () => {
      this.cancelLook = undefined;
      this.behind = true;
      this.pump();
      this.setAsideSurplus();
    });
  }

  private async conclude(delivery: Delivery, result: SendResult, begunAt: number): Promise<void> {
    const { clock } = this.parts;
    const made = { attempt: delivery.attempt - (delivery.before ?? 0), firstAt: delivery.createdAt };
    const again = retryAt(result, made, this.parts);
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
    try {
      await this.outcomes.add({ delivery, attempt, status, nextAt: again, answer: result.answer });
    } catch (error) {
      // The lease runs out and the delivery is made again: at least once.
      this.parts.log({ level: 'warn', message: 'an attempt could not be recorded', ...errorFacts(error) });
    }
  }

  private async record(list: Outcome[]): Promise<undefined[]> {
    const at = isoTime(this.parts.clock.now());
    const answered = await this.parts.database.query<{ space_id: string; runbook_record_id: string }>(
      finish,
      [
        storeJson(
          list.map(({ delivery, attempt, status, nextAt, answer }) => ({
            job_id: delivery.jobId,
            number: delivery.attempt,
            action_record_id: delivery.actionRecordId,
            attempt: [attempt],
            status,
            next_at: nextAt,
            output: answer,
          })),
        ),
        this.parts.instance,
        at,
        list.map(({ delivery }) => delivery.jobId),
        list.map(({ delivery }) => delivery.actionRecordId),
      ],
    );
    this.parts.changes.publish([
      ...answered.rows.map((row) => ({
        spaceId: row.space_id,
        resource: 'runbook-record',
        id: row.runbook_record_id,
        op: 'update' as const,
        at,
      })),
      ...list.map(({ delivery }) => ({
        spaceId: delivery.spaceId,
        resource: 'action-record',
        id: delivery.actionRecordId,
        op: 'update' as const,
        at,
      })),
    ]);
    return list.map(() => undefined);
  }
}

/** What deliveries share a fate: the host of a webhook, an on-site agent, or the mail server. */
function targetOf({ kind, request }: Delivery): string {
  const { url, ksocketSlotId } = request as { url?: string; ksocketSlotId?: string };
  if (ksocketSlotId) return ksocketSlotId;
  return kind === 'webhook' && url && URL.canParse(url) ? new URL(url).host : kind;
}

interface ClaimedRow {
  id: string;
  attempts: number;
  action_record_id: string;
  action_id: string;
  space_id: string;
  kind: string;
  request: unknown;
  delivery_id: string;
  created_at: string;
  since: string | null;
  before: number;
  runbook_record_id: string | null;
}

const claimText = {
  name: 'claim-deliveries',
  text: `
    with claimed as (${claimStatement(queue)}), named as (
      select id, attempts, (payload->>'actionRecordId')::uuid as action_record_id,
        (payload->>'since')::timestamptz as since, coalesce((payload->>'before')::int, 0) as before
      from claimed
    )
    select c.id, c.attempts, c.since, c.before, c.action_record_id, r.action_id, r.space_id, r.kind, r.request, r.delivery_id,
      r.created_at, r.runbook_record_id
    from named c cross join lateral (select * from action_record a where a.action_record_id = c.action_record_id offset 0) r`,
};
