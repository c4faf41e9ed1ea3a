// Writes what was decided, all of it or nothing, in one statement.
import type { BatchResult, EventRow } from '@yagura/core/alerthub/decide/batch';
import type { MessageDecision } from '@yagura/core/alerthub/decide/decide';
import type { RunbookProgress } from '@yagura/core/alerthub/decide/run-runbooks';
import { overflowName } from '@yagura/core/alerthub/severity-name';
import { RowColumns } from '../db/binary-array.ts';
import type { Queryable } from '../db/database.ts';
import { storeJson, storeText } from '../db/store-json.ts';
import type { NextId } from '../id.ts';
import { OutdatedBatch } from '../jobs/row-guard.ts';
import type { HourCount } from './count-hours.ts';
import { type Row as Arrived, arrivalColumns, arrivedText, markOf, storedText } from './store-arrivals.ts';

export interface FreshJob {
  id: string;
  actionRecordId: string;
}

export interface Decided {
  spaceId: string;
  now: string;
  /** Positions in the waiting line that this batch takes. */
  seqs: string[];
  messages: MessageDecision[];
  /** What these messages add to the counts by hour. */
  counts: HourCount[];
  result: BatchResult;
  /** When each touched scope recovers by itself, or null. */
  recoveryAt: ReadonlyMap<string, string | null>;
  /** How records of runbooks went on, those among them that this batch starts. */
  progress: readonly RunbookProgress[];
  /** Lease of the deliveries that this process sends at once: how many, by whom, until when. */
  lease: { count: number; by: string; until: string };
  nextId: NextId;
}

/** Parameters before the columns of decisions and of events. */
const own = 12;
const messageColumns = new RowColumns<MessageDecision>([
  ['uuid', ({ messageId }) => messageId],
  ['int4', ({ matched }) => matched],
  ['int4', ({ total }) => total],
  ['jsonb', ({ rules }) => storeJson(rules)],
  ['jsonb', ({ notes }) => storeJson(notes)],
]);
const eventColumns = new RowColumns<EventRow>([
  ['uuid', ({ eventId }) => eventId],
  ['uuid', ({ scopeId }) => scopeId],
  ['text', ({ severityName }) => storeText(severityName)],
  ['int4', ({ delta }) => delta],
  ['int4', ({ previousSeverity }) => previousSeverity],
  ['int4', ({ severity }) => severity],
  ['text', ({ statusBefore }) => statusBefore],
  ['text', ({ status }) => status],
  ['text', ({ source }) => source],
  ['uuid', ({ ruleId }) => ruleId],
  ['uuid', ({ messageId }) => messageId],
  ['jsonb', ({ triggers }) => storeJson(triggers)],
]);
const firstEvent = own + messageColumns.count + 1;
const firstArrival = firstEvent + eventColumns.count;

/**
 * What it changes is named once more by its keys ($7 events, $8 waiting triggers, $9 their triggers, $10 records of
 * runbooks, $11 and $12 severities): a plan made while a table is small is kept as it grows, and must not read it from end to end.
 */
const statementText = (given: string) => `
    with ${given}, taken as (
      delete from message_pending where seq = any((select $4::bigint[])::bigint[]) returning seq
    ), decided as (
      insert into decision (message_id, space_id, evaluated_at, matched, total, rules, notes)
      select x.message_id, g.space_id, g.now, x.matched, x.total, x.rules, x.notes
      from given g, ${messageColumns.from(own + 1)} as x(message_id, matched, total, rules, notes)
    ), unindexed as (
      insert into message_unindexed (message_id)
      select x.message_id from given g, unnest((select $${own + 1}::uuid[])) as x(message_id)
    ), counted as (
      insert into message_count (space_id, receive_slot_id, hour, received, matched)
      select g.space_id, x.receive_slot_id, x.hour, x.received, x.matched
      from given g, jsonb_to_recordset(g.j->'counts')
        as x(receive_slot_id uuid, hour timestamptz, received int, matched int)
      on conflict (receive_slot_id, hour) do update set received = message_count.received + excluded.received,
        matched = message_count.matched + excluded.matched
    ), raised as (
      insert into event (event_id, space_id, scope_id, severity_name, delta, previous_severity, severity, status_before, status,
        source, rule_id, message_id, triggers, created_at)
      select x.event_id, g.space_id, x.scope_id, x.severity_name, x.delta, x.previous_severity, x.severity, x.status_before,
        x.status, x.source, x.rule_id, x.message_id, x.triggers, g.now
      from given g, ${eventColumns.from(firstEvent)} as x(event_id, scope_id, severity_name, delta,
        previous_severity, severity, status_before, status, source, rule_id, message_id, triggers)
    ), moved as (
      insert into severity (space_id, scope_id, name, value, created_at, updated_at)
      select g.space_id, x.scope_id, x.name, x.value, g.now, g.now
      from given g, jsonb_to_recordset(g.j->'severities') as x(scope_id uuid, name text, value int)
      on conflict (scope_id, name) do update set value = excluded.value, updated_at = excluded.updated_at
    ), gave_way as (
      delete from severity s using unnest($11::uuid[], $12::text[]) as x(scope_id, name)
      where exists (select 1 from given) and s.scope_id = any($11::uuid[]) and s.scope_id = x.scope_id and s.name = x.name
    ), overflowed as (
      insert into trouble (trouble_id, space_id, kind, subject_id, reason, created_at)
      select x.trouble_id, g.space_id, 'full', x.scope_id, x.reason, g.now
      from given g, jsonb_to_recordset(g.j->'full') as x(trouble_id uuid, scope_id uuid, reason jsonb)
    ), state as (
      insert into scope_state (scope_id, space_id, status, severity, last_event_at, recovery_at)
      select x.scope_id, g.space_id, x.status, x.severity, g.now, x.recovery_at
      from given g, jsonb_to_recordset(g.j->'scopes') as x(scope_id uuid, status text, severity int, recovery_at timestamptz)
      on conflict (scope_id) do update set status = excluded.status, severity = excluded.severity,
        last_event_at = excluded.last_event_at, recovery_at = excluded.recovery_at
    ), redecided as (
      update event e set triggers = x.triggers
      from given g, jsonb_to_recordset(g.j->'decided') as x(event_id uuid, triggers jsonb)
      where e.event_id = any($7::uuid[]) and e.event_id = x.event_id
    ), let_go as (
      delete from waiting_trigger
      where exists (select 1 from given)
        and (waiting_trigger_id = any($8::uuid[]) or (trigger_id = any($9::uuid[]) and cause = 'mute'))
    ), kept_waiting as (
      insert into waiting_trigger (waiting_trigger_id, space_id, scope_id, trigger_id, event_id, message_id, cause,
        mute_schedule_id, due_at, asks, trigger_values, depth)
      select x.waiting_trigger_id, g.space_id, x.scope_id, x.trigger_id, x.event_id, x.message_id, x.cause,
        x.mute_schedule_id, x.due_at, x.asks, x.trigger_values, x.depth
      from given g, jsonb_to_recordset(g.j->'waiting')
        as x(waiting_trigger_id uuid, scope_id uuid, trigger_id uuid, event_id uuid, message_id uuid, cause text,
          mute_schedule_id uuid, due_at timestamptz, asks jsonb, trigger_values jsonb, depth int)
    ), begun as (
      insert into runbook_record (runbook_record_id, space_id, runbook_id, status, reason, origin, source_message_id,
        source_scope_id, trigger_id, event_id, depth, display_name, flow, context, at_step, waits_for, due_at, requested_at,
        started_at, ended_at, updated_at)
      select x.runbook_record_id, g.space_id, x.runbook_id, x.status, x.reason, x.origin, x.source_message_id,
        x.source_scope_id, x.trigger_id, x.event_id, x.depth, x.display_name, x.flow, x.context, x.at_step, x.waits_for,
        x.due_at, g.now, case when x.status <> 'requested' then g.now end, case when x.due_at is null then g.now end, g.now
      from given g, jsonb_to_recordset(g.j->'starts')
        as x(runbook_record_id uuid, runbook_id uuid, status text, reason jsonb, origin text, source_message_id uuid,
          source_scope_id uuid, trigger_id uuid, event_id uuid, depth int, display_name text, flow jsonb, context jsonb,
          at_step text, waits_for uuid, due_at timestamptz)
    ), went_on as (
      update runbook_record r set status = x.status, reason = x.reason, at_step = x.at_step, waits_for = x.waits_for,
        due_at = x.due_at, started_at = coalesce(r.started_at, g.now), updated_at = g.now,
        ended_at = case when x.due_at is null then g.now end
      from given g, jsonb_to_recordset(g.j->'progress')
        as x(runbook_record_id uuid, status text, reason jsonb, at_step text, waits_for uuid, due_at timestamptz)
      where r.runbook_record_id = any($10::uuid[]) and r.runbook_record_id = x.runbook_record_id
    ), stepped as (
      insert into runbook_record_step (runbook_record_id, space_id, seq, step_id, flow_step_id, kind, display_name, status, input,
        output, reason, action_record_id, started_at, ended_at)
      select x.runbook_record_id, g.space_id, x.seq, x.step_id, x.flow_step_id, x.kind, x.display_name, x.status, x.input,
        x.output, x.reason, x.action_record_id, x.started_at, x.ended_at
      from given g, jsonb_to_recordset(g.j->'steps')
        as x(runbook_record_id uuid, seq int, step_id text, flow_step_id text, kind text, display_name text, status text,
          input jsonb, output jsonb, reason jsonb, action_record_id uuid, started_at timestamptz, ended_at timestamptz)
      on conflict (runbook_record_id, seq) do update set status = excluded.status, output = excluded.output,
        reason = excluded.reason, ended_at = excluded.ended_at
    ), fired as (
      insert into action_record (action_record_id, space_id, action_id, kind, status, scope_id, trigger_id, event_id,
        runbook_record_id, message_id, delivery_id, attempts, next_attempt_at, request, missing, created_at, updated_at)
      select x.action_record_id, g.space_id, x.action_id, x.kind, x.status, x.scope_id, x.trigger_id, x.event_id,
        x.runbook_record_id, x.message_id, x.delivery_id, x.attempts, case when x.status = 'waiting' then g.now end, coalesce(x.request, 'null'), x.missing, g.now, g.now
      from given g, jsonb_to_recordset(g.j->'firings')
        as x(action_record_id uuid, action_id uuid, kind text, status text, scope_id uuid, trigger_id uuid, event_id uuid,
          runbook_record_id uuid, message_id uuid, delivery_id text, attempts jsonb, request jsonb, missing jsonb)
    ), queued as (
      insert into job (queue, run_at, attempts, locked_by, payload)
      select 'delivery', case when x.leased then $6::timestamptz else g.now end, case when x.leased then 1 else 0 end,
        case when x.leased then $5 end, jsonb_build_object('actionRecordId', x.action_record_id)
      from given g, jsonb_to_recordset(g.j->'firings') as x(action_record_id uuid, status text, leased boolean)
      where x.status = 'waiting'
      returning id, payload->>'actionRecordId' as action_record_id, locked_by
    )
    select (select count(*)::int from taken) as taken,
      (select coalesce(json_agg(json_build_object('id', id::text, 'actionRecordId', action_record_id)), '[]'::json)
        from queued where locked_by is not null) as jobs, (select count(*)::int from given) as done`;

const head = 'select $1::jsonb as j, $2::uuid as space_id, $3::timestamptz as now';
const statement = { name: 'apply-decisions', text: statementText(`given as (${head})`) };

/** Stores arrivals as well, provided that none of them repeats a message and that no message waits for its decision. */
const arrivalStatement = {
  name: 'store-and-decide',
  text: statementText(`${arrivedText(firstArrival)}, given as (
      ${head}
      where not exists (select 1 from known where original is not null) and not exists (select 1 from message_pending)
    ), ${storedText('arrived g, given')}, marked as (
      update intake_mark set place = $${firstArrival + arrivalColumns.count}::bigint where exists (select 1 from given)
    )`),
};

/** Applies a batch and gives the deliveries that are leased to this process. Throws when a message was taken before. */
export async function storeDecisions(db: Queryable, decided: Decided): Promise<FreshJob[]> {
  const { rows } = await db.query<Stored>(statement, parametersOf(decided));
  const { taken, jobs } = rows[0]!;
  if (taken !== decided.seqs.length) throw new OutdatedBatch('a message of this batch was decided elsewhere');
  return jobs;
}

/**
 * The same for messages that are not in the store yet, each decided in its order, which it puts there with what was
 * decided. Undefined, and nothing is stored, when one of them repeats a message or others wait before them.
 */
export async function storeDecided(
  db: Queryable,
  decided: Decided,
  arrivals: readonly Arrived[],
): Promise<FreshJob[] | undefined> {
  const { rows } = await db.query<Stored>(arrivalStatement, [
    ...parametersOf(decided),
    ...arrivalColumns.of(arrivals),
    markOf(arrivals),
  ]);
  const { done, jobs } = rows[0]!;
  return done === 1 ? jobs : undefined;
}

interface Stored {
  taken: number;
  jobs: FreshJob[];
  /** 1 when anything was stored. */
  done: number;
}

function parametersOf(decided: Decided): unknown[] {
  const { result, lease } = decided;
  return [
    storeJson(rowsOf(decided)),
    decided.spaceId,
    decided.now,
    decided.seqs,
    lease.by,
    lease.until,
    result.decided.map(({ eventId }) => eventId),
    result.released,
    result.waiting.filter(({ cause }) => cause === 'mute').map(({ triggerId }) => triggerId),
    wentOn(decided).map(({ runbookRecordId }) => runbookRecordId),
    result.gone.map(({ scopeId }) => scopeId),
    result.gone.map(({ name }) => name),
    ...messageColumns.of(decided.messages),
    ...eventColumns.of(result.events),
  ];
}

/** Records that were there before the batch and went on in it. */
function wentOn({ result, progress }: Decided): readonly RunbookProgress[] {
  if (result.starts.length === 0) return progress;
  const fresh = new Set(result.starts.map(({ runbookRecordId }) => runbookRecordId));
  return progress.filter(({ runbookRecordId }) => !fresh.has(runbookRecordId));
}

function rowsOf(decided: Decided) {
  const { counts, result, recoveryAt, progress, lease, now } = decided;
  let leases = lease.count;
  const begun = new Map(progress.map((one) => [one.runbookRecordId, one]));
  return {
    counts: counts.map(({ receiveSlotId, ...count }) => ({ receive_slot_id: receiveSlotId, ...count })),
    severities: result.severities.map(({ scopeId, name, value }) => ({ scope_id: scopeId, name, value })),
    full: result.events
      .filter(({ severityName, previousSeverity }) => severityName === overflowName && previousSeverity === 0)
      .map(({ scopeId }) => ({
        trouble_id: decided.nextId(),
        scope_id: scopeId,
        reason: { word: 'notice.full', params: { overflow: overflowName } },
      })),
    scopes: result.scopes.map(({ scopeId, status, severity }) => ({
      scope_id: scopeId,
      status,
      severity,
      recovery_at: recoveryAt.get(scopeId) ?? null,
    })),
    starts: result.starts.map(({ runbook, ...start }) => ({
      ...stateOf(
        begun.get(start.runbookRecordId) ?? {
          ...{ runbookRecordId: start.runbookRecordId, status: 'requested', at: runbook.startStepId },
          ...{ reason: null, waitsFor: null, dueAt: now },
        },
      ),
      runbook_id: runbook.runbookId,
      origin: start.origin,
      source_message_id: start.sourceMessageId,
      source_scope_id: start.sourceScopeId,
      trigger_id: start.triggerId,
      event_id: start.eventId,
      depth: start.depth,
      display_name: runbook.displayName,
      flow: { startStepId: runbook.startStepId, steps: runbook.steps },
      context: start.context,
    })),
    progress: wentOn(decided).map(stateOf),
    steps: progress.flatMap(({ runbookRecordId, steps }) =>
      steps.map((step) => ({
        runbook_record_id: runbookRecordId,
        seq: step.seq,
        step_id: step.stepId,
        flow_step_id: step.flowStepId,
        kind: step.kind,
        display_name: step.displayName,
        status: step.status,
        input: step.input,
        output: step.output,
        reason: step.reason,
        action_record_id: step.actionRecordId,
        started_at: step.startedAt,
        ended_at: step.endedAt,
      })),
    ),
    decided: result.decided.map(({ eventId, triggers }) => ({ event_id: eventId, triggers })),
    waiting: result.waiting.map((row) => ({
      waiting_trigger_id: row.waitingTriggerId,
      scope_id: row.scopeId,
      trigger_id: row.triggerId,
      event_id: row.eventId,
      message_id: row.messageId,
      cause: row.cause,
      mute_schedule_id: row.muteScheduleId,
      due_at: row.dueAt,
      asks: row.asks,
      trigger_values: row.values,
      depth: row.depth,
    })),
    firings: result.firings.map((firing) => ({
      action_record_id: firing.actionRecordId,
      action_id: firing.actionId,
      kind: firing.kind,
      // A template that can't be filled will not fill itself: the record says so and nothing is sent.
      status: firing.problem ? 'failed' : 'waiting',
      scope_id: firing.scopeId,
      trigger_id: firing.triggerId,
      event_id: firing.eventId,
      runbook_record_id: firing.runbookRecordId,
      message_id: firing.messageId,
      delivery_id: firing.deliveryId,
      request: firing.request,
      missing: firing.missing,
      leased: !firing.problem && leases-- > 0,
      attempts: firing.problem
        ? [
            {
              number: 1,
              startedAt: now,
              endedAt: now,
              outcome: 'failed',
              statusCode: null,
              reason: firing.problem,
              reply: null,
            },
          ]
        : [],
    })),
  };
}

/** Where a record of a runbook stands. */
function stateOf(
  one: Omit<RunbookProgress, 'steps' | 'status'> & { status: RunbookProgress['status'] | 'requested' },
) {
  return {
    runbook_record_id: one.runbookRecordId,
    status: one.status,
    reason: one.reason,
    at_step: one.at,
    waits_for: one.waitsFor,
    due_at: one.dueAt,
  };
}
