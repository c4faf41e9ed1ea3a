// Statement parts that write action records and queue their deliveries.
import type { Attempt } from '@yagura/core/alerthub/action-record';
import type { Firing } from '@yagura/core/alerthub/engine/execution/batch';
import { RowColumns } from '../../../db/binary-array.ts';
import { toStoreJson, toStoreText } from '../../../db/store-json.ts';
import { statementPart, toStoredJson } from './statement-part.ts';

interface Fired extends Firing {
  attempts: Attempt[];
  /** Set for deliveries that this process sends immediately. */
  leasedBy: string | null;
  leasedUntil: string | null;
}

export const firingStatementPart = statementPart<Fired>(
  'f',
  ({ result, lease, now }) => {
    const { count, by, until } = lease();
    let leases = count;
    return result.firings.map((firing) => {
      const { problem } = firing;
      const isLeased = !problem && leases-- > 0;
      return {
        ...firing,
        attempts: problem ? [failedAttempt(problem, now)] : [],
        leasedBy: isLeased ? by : null,
        leasedUntil: isLeased ? until : null,
      };
    });
  },
  new RowColumns({
    action_record_id: ['uuid', (row) => row.actionRecordId],
    action_id: ['uuid', (row) => row.actionId],
    kind: ['text', (row) => row.kind],
    // Retrying can't fix a template that fails to render: the record gets the error and nothing is sent.
    status: ['text', (row) => (row.problem ? 'failed' : 'waiting')],
    scope_id: ['uuid', (row) => row.scopeId],
    trigger_id: ['uuid', (row) => row.triggerId],
    event_id: ['uuid', (row) => row.eventId],
    runbook_record_id: ['uuid', (row) => row.runbookRecordId],
    message_id: ['uuid', (row) => row.messageId],
    delivery_id: ['text', (row) => toStoreText(row.deliveryId)],
    attempts: ['jsonb', (row) => toStoreJson(row.attempts)],
    request: ['jsonb', (row) => toStoredJson(row.request)],
    missing: ['jsonb', (row) => toStoreJson(row.missing)],
    max_attempts: ['int4', (row) => row.maxAttempts ?? null],
    leased_by: ['text', (row) => row.leasedBy],
    leased_until: ['timestamptz', (row) => row.leasedUntil],
  }),
  (x) => `
    firing as (
      select * from ${x}
    ), fired as (
      insert into action_record (action_record_id, space_id, action_id, kind, status, scope_id, trigger_id, event_id,
        runbook_record_id, message_id, delivery_id, attempts, next_attempt_at, request, missing, created_at, updated_at)
      select x.action_record_id, g.space_id, x.action_id, x.kind, x.status, x.scope_id, x.trigger_id, x.event_id,
        x.runbook_record_id, x.message_id, x.delivery_id, x.attempts, case when x.status = 'waiting' then g.now end,
        coalesce(x.request, 'null'), x.missing, g.now, g.now
      from given g, firing x
    ), queued as (
      insert into job (queue, run_at, attempts, locked_by, space_id, payload)
      select 'delivery', coalesce(x.leased_until, g.now), case when x.leased_by is null then 0 else 1 end, x.leased_by, g.space_id,
        jsonb_strip_nulls(jsonb_build_object('actionRecordId', x.action_record_id, 'maxAttempts', x.max_attempts))
      from given g, firing x where x.status = 'waiting'
      returning id, payload->>'actionRecordId' as action_record_id, locked_by
    )`,
);

function failedAttempt(reason: NonNullable<Firing['problem']>, now: string): Attempt {
  const attempt = { startedAt: now, endedAt: now, statusCode: null, reason, reply: null };
  return { number: 1, outcome: 'failed', ...attempt };
}
