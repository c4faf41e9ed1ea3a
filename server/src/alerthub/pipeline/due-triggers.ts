// Reads due waiting triggers with their events and messages.
import type { EventRow } from '@yagura/core/alerthub/engine/execution/batch';
import type { DueTrigger } from '@yagura/core/alerthub/engine/execution/decide-due-triggers';
import type { Queryable } from '../../db/database.ts';
import { fillsTurn, maxDueBytes } from '../messages/message-read-limit.ts';
import { type MessageRow, messageColumns, toMessage } from '../messages/message-row.ts';

/** Maximum triggers per turn. */
export const maxDueTriggers = 200;

/**
 * For waiting_trigger as `t`: its scope does not recover before it. After an outage both are due at once, and a scope
 * that would have recovered by then raises no alert.
 */
const isNext =
  'not exists (select 1 from scope_state s where s.scope_id = t.scope_id and s.recovery_at <= t.due_at)';

/** The first due triggers of one space, with their events and messages; `more` means that others may be due. */
export async function loadDueTriggers(
  db: Queryable,
  now: string,
  max: number,
): Promise<{ spaceId: string | undefined; releases: DueTrigger[]; more: boolean }> {
  const { rows } = await db.query<WaitingTriggerRow>(
    `select w.space_id, w.waiting_trigger_id, w.scope_id, w.trigger_id, w.cause, w.mute_schedule_id, w.due_at, w.asks, w.trigger_values,
       w.depth, w.size, to_jsonb(e) as event, e.created_at as event_at, ${messageColumns}
     from (
       select q.*, sum(q.size) over (order by q.due_at, q.waiting_trigger_id) - q.size as before from (
         select t.*, coalesce((select s.size from message s where s.message_id = t.message_id), 0) as size
         from waiting_trigger t
         where t.due_at <= $1
           and t.space_id = (select space_id from waiting_trigger order by due_at, waiting_trigger_id limit 1)
           and exists (select 1 from event f where f.event_id = t.event_id)
           and ${isNext}
         order by t.due_at, t.waiting_trigger_id limit $2
       ) q
     ) w join event e on e.event_id = w.event_id
     left join message m on m.message_id = w.message_id
     where w.before < $3
     order by w.due_at, w.waiting_trigger_id`,
    [now, max, maxDueBytes],
  );
  if (rows.length === 0) {
    // Delete triggers waiting on events that no longer exist; they would be due forever.
    await db.query(
      'delete from waiting_trigger w where w.due_at <= $1 and not exists (select 1 from event e where e.event_id = w.event_id)',
      [now],
    );
  }
  const more = rows.length === max || fillsTurn(rows);
  return { spaceId: rows[0]?.space_id, releases: rows.map(toRelease), more };
}

/** Id of the first due trigger. */
export async function findFirstDueTrigger(db: Queryable, now: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `select t.waiting_trigger_id as id from waiting_trigger t join event e on e.event_id = t.event_id
     where t.due_at <= $1 and ${isNext}
       and t.space_id = (select space_id from waiting_trigger order by due_at, waiting_trigger_id limit 1)
     order by t.due_at, t.waiting_trigger_id limit 1`,
    [now],
  );
  return rows[0]?.id;
}

function toRelease(row: WaitingTriggerRow): DueTrigger {
  const { event } = row;
  return {
    waitingTriggerId: row.waiting_trigger_id,
    scopeId: row.scope_id,
    triggerId: row.trigger_id,
    cause: row.cause,
    muteScheduleId: row.mute_schedule_id,
    dueAt: row.due_at,
    pendingConditions: row.asks,
    values: row.trigger_values,
    event: {
      eventId: event.event_id,
      scopeId: event.scope_id,
      severityName: event.severity_name,
      delta: event.delta,
      previousSeverity: event.previous_severity,
      severity: event.severity,
      statusBefore: event.status_before,
      status: event.status,
      source: event.source,
      ruleId: event.rule_id,
      messageId: event.message_id,
      createdAt: row.event_at,
      triggers: event.triggers,
    },
    message: toMessage(row),
    depth: row.depth,
  };
}

interface WaitingTriggerRow extends MessageRow {
  depth: number;
  /** Bytes of the message. */
  size: number;
  space_id: string;
  waiting_trigger_id: string;
  scope_id: string;
  trigger_id: string;
  cause: DueTrigger['cause'];
  mute_schedule_id: string | null;
  due_at: string;
  asks: DueTrigger['pendingConditions'];
  trigger_values: Record<string, unknown>;
  event_at: string;
  event: {
    event_id: string;
    scope_id: string;
    severity_name: string;
    delta: number;
    previous_severity: number;
    severity: number;
    status_before: EventRow['statusBefore'];
    status: EventRow['status'];
    source: EventRow['source'];
    rule_id: string | null;
    message_id: string | null;
    triggers: EventRow['triggers'];
  };
}
