// Claims deliveries under a lease and records the outcomes of attempts in one statement.
import type { Attempt } from '@yagura/core/alerthub/action-record';
import type { Firing } from '@yagura/core/alerthub/engine/execution/batch';
import { isUuid } from '../../common/id.ts';
import { noSpace } from '../../common/spaces/space-shares.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { toStoreJson } from '../../db/store-json.ts';
import type { SendResult } from '../../delivery/send-result.ts';
import { claimStatement, type Job } from '../../jobs/job-queue.ts';
import { faultText } from '../../jobs/poison-row-guard.ts';
import { openRequest, type Sealing } from '../../resource/sealing/sealed-fields.ts';

export const deliveryQueue = 'delivery';

/** Bytes of JSON of the largest request that is kept while it waits for its target. */
const maxBufferedRequest = 64 * 1024;

/** A delivery leased by this process. */
export interface Delivery
  extends Pick<
    Firing,
    'actionRecordId' | 'actionId' | 'kind' | 'request' | 'deliveryId' | 'runbookRecordId'
  > {
  jobId: string;
  spaceId: string;
  /** What its job counts for when jobs are claimed; its space if absent. */
  share?: string;
  /** `request` is not complete, and is read when it is sent. Absent: its size is not known. */
  isPartial?: boolean;
  /** Starts at 1; also serves as the fencing token against an expired lease. */
  attempt: number;
  /** Start of the one-day retry period, ISO 8601. */
  createdAt: string;
  /** Attempts made before a user resent it; 0 if absent. */
  before?: number;
  /** Set by a runbook step; if absent, retries end after a day. */
  maxAttempts?: number | null;
}

/** The space for whose share of places a delivery counts. */
export function shareOf({ share, spaceId }: Delivery): string {
  return share ?? spaceId;
}

export interface DeliveryOutcome {
  delivery: Delivery;
  attempt: Attempt;
  status: 'waiting' | 'succeeded' | 'failed';
  nextAt: string | null;
  /** True once it has been undelivered for so long that it is reported, although retries continue. */
  late: boolean;
  answer: SendResult['answer'];
}

/**
 * Also filters its rows by their keys ($4 jobs, $5 action records), so that no plan scans a whole table:
 * PostgreSQL keeps a plan made while the tables were small.
 */
const finishStatement = {
  name: 'finish-deliveries',
  text: `
    with given as (
      select * from jsonb_to_recordset($1::jsonb)
        as x(job_id bigint, number int, action_record_id uuid, action_id uuid, space_id uuid, attempt jsonb, status text,
          next_at timestamptz, output jsonb, late boolean, since timestamptz)
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
    ), late as (
      insert into action_trouble (space_id, action_id, since, late_at, late_count, reason)
      select g.space_id, g.action_id, min(g.since), $3::timestamptz, count(*)::int, (array_agg(g.attempt->0->'reason'))[1]
      from given g where g.late and not exists (
        select 1 from action_record d where d.action_record_id = any($5::uuid[]) and d.action_record_id = g.action_record_id
          and (d.drill or d.attempts @> g.attempt))
      group by g.space_id, g.action_id
      on conflict (action_id) do update set late_at = excluded.late_at, reason = excluded.reason, worked_at = null,
        late_count = action_trouble.late_count + excluded.late_count
    ), works as (
      update action_trouble t set worked_at = $3::timestamptz
      where t.action_id = any($6::uuid[]) and not exists (select 1 from given g where g.late and g.action_id = t.action_id)
    ), written as (
    update action_record r set output = coalesce(g.output, r.output), updated_at = $3::timestamptz,
      attempts = case when r.attempts @> g.attempt then r.attempts else r.attempts || g.attempt end,
      status = case when m.id is null then r.status else g.status end,
      next_attempt_at = case when m.id is null then r.next_attempt_at else g.next_at end
    from given g left join mine m on m.job_id = g.job_id
    where r.action_record_id = any($5::uuid[]) and r.action_record_id = g.action_record_id
    )
    select space_id, runbook_record_id from answered`,
};

/**
 * Records attempts and returns the runbook records that waited for them. Can be repeated if it is not known whether it
 * was committed: an attempt that is recorded already is not added again.
 */
export async function storeOutcomes(
  database: Database,
  instance: string,
  at: string,
  list: readonly DeliveryOutcome[],
): Promise<{ space_id: string; runbook_record_id: string }[]> {
  const { rows } = await database.query<{ space_id: string; runbook_record_id: string }>(finishStatement, [
    toStoreJson(
      list.map(({ delivery, attempt, status, nextAt, late, answer }) => ({
        job_id: delivery.jobId,
        number: delivery.attempt,
        action_record_id: delivery.actionRecordId,
        action_id: delivery.actionId,
        space_id: delivery.spaceId,
        attempt: [attempt],
        status,
        next_at: nextAt,
        late,
        since: delivery.createdAt,
        output: answer,
      })),
    ),
    instance,
    at,
    list.map(({ delivery }) => delivery.jobId),
    list.map(({ delivery }) => delivery.actionRecordId),
    list.filter(({ status }) => status === 'succeeded').map(({ delivery }) => delivery.actionId),
  ]);
  return rows;
}

/** Ends a delivery whose attempts cannot be recorded; otherwise it would be repeated forever. */
export async function endDelivery(
  database: Database,
  instance: string,
  at: string,
  { jobId, actionRecordId }: Delivery,
): Promise<void> {
  await database.query(
    `with mine as (
       delete from job where id = $1 and locked_by = $2 returning id
     ), answered as (
       update runbook_record set due_at = $4::timestamptz where waits_for = $3 and exists (select 1 from mine)
     )
     update action_record set status = 'failed', next_attempt_at = null, updated_at = $4::timestamptz
     where action_record_id = $3 and exists (select 1 from mine)`,
    [jobId, instance, actionRecordId, at],
  );
}

/** What a job of the queue contains; other fields are read by the statement that claims it. */
export interface DeliveryPayload {
  actionRecordId: string;
}

/** Ends a delivery whose job cannot be claimed, with the error as the reason; call it after removing the job. */
export async function failUnclaimed(
  tx: Queryable,
  { attempts, payload }: Pick<Job<DeliveryPayload>, 'attempts' | 'payload'>,
  error: unknown,
  at: string,
): Promise<void> {
  const { actionRecordId } = payload;
  if (!isUuid(actionRecordId)) return;
  const reason = { word: 'delivery.threw', params: { detail: faultText(error) } };
  const attempt: Attempt = {
    number: attempts + 1,
    startedAt: at,
    endedAt: at,
    outcome: 'failed',
    statusCode: null,
    reason,
    reply: null,
  };
  await tx.query(
    `with answered as (
       update runbook_record set due_at = $2::timestamptz where waits_for = $1
     )
     update action_record set status = 'failed', next_attempt_at = null, updated_at = $2::timestamptz,
       attempts = attempts || $3::jsonb
     where action_record_id = $1 and status = 'waiting'`,
    [actionRecordId, at, toStoreJson([attempt])],
  );
}

/** Claims due deliveries; `values` are those of `claimStatement`. */
export async function claimDeliveries(database: Database, values: unknown[]): Promise<ClaimedRow[]> {
  return (await database.query<ClaimedRow>(claimDeliveriesSql, values)).rows;
}

/** Reads claimed deliveries and drops those whose record no longer exists. */
export async function readDeliveries(
  { database, instance, sealing }: { database: Database; instance: string; sealing: Sealing },
  rows: readonly ClaimedRow[],
): Promise<Delivery[]> {
  const gone = rows.filter((row) => !hasActionRecord(row)).map((row) => row.id);
  if (gone.length > 0)
    await database.query('delete from job where id = any($1::bigint[]) and locked_by = $2', [gone, instance]);
  return rows.filter(hasActionRecord).map((row) => ({
    jobId: row.id,
    attempt: row.attempts,
    actionRecordId: row.action_record_id,
    actionId: row.action_id,
    spaceId: row.space_id,
    share: row.job_space_id ?? noSpace,
    kind: row.kind,
    request: openRequest(sealing, row.space_id, row.request),
    isPartial: row.is_partial,
    deliveryId: row.delivery_id,
    createdAt: row.since ?? row.created_at,
    before: row.before,
    maxAttempts: row.max_attempts,
    runbookRecordId: row.runbook_record_id,
  }));
}

/** The delivery with its whole request. */
export async function readWholeDelivery(
  { database, sealing }: { database: Database; sealing: Sealing },
  delivery: Delivery,
): Promise<Delivery> {
  const { rows } = await database.query<{ request: unknown }>(
    'select request from action_record where action_record_id = $1',
    [delivery.actionRecordId],
  );
  if (!rows[0]) throw new Error('the record of the delivery no longer exists');
  return { ...delivery, request: openRequest(sealing, delivery.spaceId, rows[0].request), isPartial: false };
}

/** The delivery as it is buffered: without its request, if that is large. */
export function withoutLargeRequest(delivery: Delivery): Delivery {
  if (delivery.isPartial !== undefined) return delivery;
  const isPartial = JSON.stringify(delivery.request ?? null).length > maxBufferedRequest;
  return { ...delivery, request: isPartial ? null : delivery.request, isPartial };
}

/** Whether the record of a claimed delivery still exists. */
function hasActionRecord(row: ClaimedRow): row is ClaimedRow & { action_record_id: string } {
  return row.action_record_id !== null;
}

/** A delivery as claimed, which may name a record that no longer exists. */
export interface ClaimedRow {
  id: string;
  attempts: number;
  action_record_id: string | null;
  action_id: string;
  space_id: string;
  /** Null if a server of an earlier version queued it. */
  job_space_id: string | null;
  kind: string;
  request: unknown;
  is_partial: boolean;
  delivery_id: string;
  created_at: string;
  since: string | null;
  before: number;
  max_attempts: number | null;
  runbook_record_id: string | null;
}

/** Of a large request, only the fields that `targetOf` reads. */
const claimDeliveriesSql = {
  name: 'claim-deliveries',
  text: `
    with claimed as (${claimStatement(deliveryQueue)}), named as (
      select id, attempts, "spaceId" as job_space_id, (payload->>'actionRecordId')::uuid as action_record_id,
        (payload->>'since')::timestamptz as since, coalesce((payload->>'before')::int, 0) as before,
        (payload->>'maxAttempts')::int as max_attempts
      from claimed
    )
    select c.id, c.attempts, c.job_space_id, c.since, c.before, c.max_attempts, r.action_record_id, r.action_id, r.space_id, r.kind, r.delivery_id,
      r.created_at, r.runbook_record_id, octet_length(r.request::text) > ${maxBufferedRequest} as is_partial,
      case when octet_length(r.request::text) <= ${maxBufferedRequest} then r.request
        else jsonb_build_object('url', r.request->'url', 'ksocketSlotId', r.request->'ksocketSlotId',
          'emailActionSenderSettingId', r.request->'emailActionSenderSettingId') end as request
    from named c left join lateral (select * from action_record a where a.action_record_id = c.action_record_id offset 0) r on true`,
};
