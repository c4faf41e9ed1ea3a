// Fails work that cannot be processed (a message, waiting trigger, runbook record or recovery) and stores the
// reason.

import { type Clock, isoTime } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import type { Change } from '../../db/change-bus.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { toStoreJson } from '../../db/store-json.ts';
import { retryDelayAfter } from '../../jobs/poison-row-guard.ts';
import { unexpectedErrorReason } from '../notices/unexpected-error-reason.ts';

export interface FailureDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
}

/** A waiting message, identified without reading its content. */
export interface PendingKey {
  seq: string;
  messageId: string;
}

/** The first waiting message. */
export async function findFirstPending(db: Queryable): Promise<PendingKey | undefined> {
  const { rows } = await db.query<PendingKey>(
    'select seq::text as seq, message_id as "messageId" from message_pending order by message_pending.seq limit 1',
  );
  return rows[0];
}

/** Removes queue entries whose message no longer exists; they would block the head of the queue forever. */
export async function deleteOrphanedPending(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    'delete from message_pending p where not exists (select 1 from message m where m.message_id = p.message_id)',
  );
  return rowCount;
}

/**
 * Removes a message from the queue with a decision that states the error. Does not read the message content.
 */
export async function failMessage(
  db: Queryable,
  { clock, nextId }: FailureDeps,
  { seq, messageId }: PendingKey,
  error: unknown,
): Promise<Change[]> {
  const now = isoTime(clock.now());
  const why = unexpectedErrorReason(error);
  const { rows } = await db.query<{ space_id: string }>(
    `with taken as (
       delete from message_pending where seq = $1 and message_id = $2 returning message_id
     ), told as (
       select m.message_id, m.space_id, m.receive_slot_id, m.received_at from message m join taken using (message_id)
     ), decided as (
       insert into decision (message_id, space_id, evaluated_at, matched, total, rules, notes)
       select message_id, space_id, $3::timestamptz, 0, 0, '[]', jsonb_build_array($4::jsonb) from told
     ), unindexed as (
       insert into message_unindexed (message_ids) select array[message_id] from told
     ), counted as (
       insert into message_count (space_id, receive_slot_id, hour, received, matched)
       select space_id, receive_slot_id, date_trunc('hour', received_at, 'UTC'), 1, 0 from told
       on conflict (receive_slot_id, hour) do update set received = message_count.received + 1
     ), noted as (
       insert into trouble (trouble_id, space_id, kind, subject_id, about_id, reason, created_at)
       select $5::uuid, space_id, 'message', receive_slot_id, message_id, $4::jsonb, $3::timestamptz from told
     )
     select space_id from told`,
    [seq, messageId, now, toStoreJson(why), nextId()],
  );
  return rows.map(({ space_id }) => changeOf(space_id, 'message', messageId, now));
}

/** Defers a message: moves it out of the queue for some time. */
export async function postponeMessage(
  db: Queryable,
  { clock }: FailureDeps,
  { seq, messageId }: PendingKey,
  error: unknown,
): Promise<void> {
  const now = clock.now();
  const { rows } = await db.query<{ attempts: number }>(
    'select attempts from message_set_aside where message_id = $1',
    [messageId],
  );
  const attempts = (rows[0]?.attempts ?? 0) + 1;
  await db.query(
    `with taken as (
       delete from message_pending where seq = $1 and message_id = $2 returning message_id
     )
     insert into message_set_aside (message_id, space_id, attempts, due_at, reason)
     select t.message_id, m.space_id, $3, $4, $5::jsonb from taken t join message m using (message_id)
     on conflict (message_id) do update set attempts = excluded.attempts, due_at = excluded.due_at, reason = excluded.reason`,
    [
      seq,
      messageId,
      attempts,
      isoTime(now + retryDelayAfter(attempts)),
      toStoreJson(unexpectedErrorReason(error)),
    ],
  );
}

/**
 * Milliseconds after which a deferred message is checked again; its entry is deleted once it has been
 * evaluated.
 */
const recheckDelayMs = 60_000;

/** Requeues deferred messages that are due; true if there were any. */
export async function requeuePostponedMessages(db: Queryable, now: number): Promise<boolean> {
  await db.query(
    `delete from message_set_aside a where a.due_at <= $1
       and exists (select 1 from decision d where d.message_id = a.message_id)`,
    [isoTime(now)],
  );
  const { rowCount } = await db.query(
    `with due as (
       update message_set_aside set due_at = $2 where due_at <= $1 returning message_id
     )
     insert into message_pending (message_id) select message_id from due
     where not exists (select 1 from message_pending p where p.message_id = due.message_id)`,
    [isoTime(now), isoTime(now + recheckDelayMs)],
  );
  return rowCount > 0;
}

/** Fails a waiting trigger in the decision stored with its event. */
export async function failWaitingTrigger(
  db: Queryable,
  { clock, nextId }: FailureDeps,
  waitingTriggerId: string,
  error: unknown,
): Promise<Change[]> {
  const now = isoTime(clock.now());
  const { rows } = await db.query<{ space_id: string; event_id: string }>(
    `with gone as (
       delete from waiting_trigger where waiting_trigger_id = $1 returning *
     ), noted as (
       insert into trouble (trouble_id, space_id, kind, subject_id, about_id, reason, created_at)
       select $4::uuid, space_id, 'trigger', trigger_id, scope_id, $3::jsonb, $2::timestamptz from gone
     ), told as (
       update event e set triggers = (
         select jsonb_agg(case when t.one->>'triggerId' = g.trigger_id::text
           then t.one || jsonb_build_object('outcome', 'failed', 'notes', coalesce(t.one->'notes', '[]') || $3::jsonb)
             || case when g.cause = 'mute' then jsonb_build_object('releasedAt', $5::text) else '{}' end
           else t.one end order by t.place)
         from jsonb_array_elements(e.triggers) with ordinality as t(one, place)
       ) from gone g where e.event_id = g.event_id and jsonb_array_length(e.triggers) > 0
     )
     select space_id, event_id from gone`,
    [waitingTriggerId, now, toStoreJson(unexpectedErrorReason(error)), nextId(), now],
  );
  return rows.map(({ space_id, event_id }) => changeOf(space_id, 'event', event_id, now));
}

/** Fails a runbook record and the step at which it waited. */
export async function failRunbookRecord(
  db: Queryable,
  { clock }: FailureDeps,
  runbookRecordId: string,
  error: unknown,
): Promise<Change[]> {
  const now = isoTime(clock.now());
  const { rows } = await db.query<{ space_id: string }>(
    `with stopped as (
       update runbook_record_step set status = 'failed', reason = $3::jsonb, ended_at = $2
       where runbook_record_id = $1 and status = 'processing'
     )
     update runbook_record set status = 'failed', reason = $3::jsonb, at_step = null, waits_for = null, due_at = null,
       started_at = coalesce(started_at, $2), ended_at = $2, updated_at = $2
     where runbook_record_id = $1 returning space_id`,
    [runbookRecordId, now, toStoreJson(unexpectedErrorReason(error))],
  );
  return rows.map(({ space_id }) => changeOf(space_id, 'runbook-record', runbookRecordId, now));
}

/** Retries the recovery of a scope after an hour, and reports the failure. */
export async function postponeRecovery(
  db: Queryable,
  { clock, nextId }: FailureDeps,
  scopeId: string,
  error: unknown,
): Promise<void> {
  const now = clock.now();
  await db.query(
    `with later as (
       update scope_state set recovery_at = $2 where scope_id = $1 returning space_id, scope_id
     )
     insert into trouble (trouble_id, space_id, kind, subject_id, reason, created_at)
     select $5::uuid, space_id, 'scope', scope_id, $4::jsonb, $3::timestamptz from later`,
    [scopeId, isoTime(now + 3_600_000), isoTime(now), toStoreJson(unexpectedErrorReason(error)), nextId()],
  );
}

/** Postpones the due time of a row, so that the others go first. */
export async function postponeRow(
  db: Queryable,
  { clock }: FailureDeps,
  table: 'waiting_trigger' | 'runbook_record',
  id: string,
): Promise<void> {
  const { rows } = await db.query<{ attempts: number }>(
    `update ${table} set attempts = attempts + 1 where ${table}_id = $1 returning attempts`,
    [id],
  );
  const at = isoTime(clock.now() + retryDelayAfter(rows[0]?.attempts ?? 1));
  await db.query(`update ${table} set due_at = $2 where ${table}_id = $1`, [id, at]);
}

function changeOf(spaceId: string, resource: string, id: string, at: string): Change {
  return { spaceId, resource, id, op: 'update', at };
}
