// Statement parts that write runbook records.
import type { RunbookStart } from '@yagura/core/alerthub/engine/execution/batch';
import type { RunbookProgress, TraceStep } from '@yagura/core/alerthub/engine/execution/runbook-run';
import { RowColumns } from '../../../db/binary-array.ts';
import { toStoreJson, toStoreText } from '../../../db/store-json.ts';
import { type StatementPart, statementPart, toStoredJson } from './statement-part.ts';

/** State of a runbook record. */
type Standing = Omit<RunbookProgress, 'steps' | 'status'> & {
  status: RunbookProgress['status'] | 'requested';
};

const starts = statementPart<RunbookStart & { at: Standing }>(
  'b',
  ({ result, progress, now }) => {
    const begun = new Map(progress.map((one) => [one.runbookRecordId, one]));
    return result.runbookStarts.map((start) => {
      const { runbookRecordId, runbook } = start;
      const requested = { runbookRecordId, status: 'requested', currentStepId: runbook.startStepId } as const;
      const at = begun.get(runbookRecordId) ?? {
        ...requested,
        reason: null,
        waitingForActionRecordId: null,
        dueAt: now,
      };
      return { ...start, at };
    });
  },
  new RowColumns({
    runbook_record_id: ['uuid', (row) => row.runbookRecordId],
    runbook_id: ['uuid', (row) => row.runbook.runbookId],
    status: ['text', (row) => row.at.status],
    reason: ['jsonb', (row) => toStoredJson(row.at.reason)],
    origin: ['text', (row) => row.origin],
    source_message_id: ['uuid', (row) => row.sourceMessageId],
    source_scope_id: ['uuid', (row) => row.sourceScopeId],
    trigger_id: ['uuid', (row) => row.triggerId],
    event_id: ['uuid', (row) => row.eventId],
    depth: ['int4', (row) => row.depth],
    display_name: ['text', (row) => toStoreText(row.runbook.displayName)],
    flow: ['jsonb', ({ runbook }) => toStoreJson({ startStepId: runbook.startStepId, steps: runbook.steps })],
    context: ['jsonb', (row) => toStoredJson(row.context)],
    at_step: ['text', (row) => row.at.currentStepId && toStoreText(row.at.currentStepId)],
    waits_for: ['uuid', (row) => row.at.waitingForActionRecordId],
    due_at: ['timestamptz', (row) => row.at.dueAt],
  }),
  (x) => `
    begun as (
      insert into runbook_record (runbook_record_id, space_id, runbook_id, status, reason, origin, source_message_id,
        source_scope_id, trigger_id, event_id, depth, display_name, flow, context, at_step, waits_for, due_at, requested_at,
        started_at, ended_at, updated_at)
      select x.runbook_record_id, g.space_id, x.runbook_id, x.status, x.reason, x.origin, x.source_message_id,
        x.source_scope_id, x.trigger_id, x.event_id, x.depth, x.display_name, x.flow, x.context, x.at_step, x.waits_for,
        x.due_at, g.now, case when x.status <> 'requested' then g.now end, case when x.due_at is null then g.now end, g.now
      from given g, ${x}
    )`,
);

/** Records that existed before the batch and advanced in it. */
const progress = statementPart<RunbookProgress>(
  'p',
  ({ result, progress: all }) => {
    const fresh = new Set(result.runbookStarts.map(({ runbookRecordId }) => runbookRecordId));
    return all.filter(({ runbookRecordId }) => !fresh.has(runbookRecordId));
  },
  new RowColumns({
    runbook_record_id: ['uuid', (row) => row.runbookRecordId],
    status: ['text', (row) => row.status],
    reason: ['jsonb', (row) => toStoredJson(row.reason)],
    at_step: ['text', (row) => row.currentStepId && toStoreText(row.currentStepId)],
    waits_for: ['uuid', (row) => row.waitingForActionRecordId],
    due_at: ['timestamptz', (row) => row.dueAt],
  }),
  (x, key) => `
    went_on as (
      update runbook_record r set status = x.status, reason = x.reason, at_step = x.at_step, waits_for = x.waits_for,
        due_at = x.due_at, started_at = coalesce(r.started_at, g.now), updated_at = g.now,
        ended_at = case when x.due_at is null then g.now end
      from given g, ${x}
      where r.runbook_record_id = any(${key}::uuid[]) and r.runbook_record_id = x.runbook_record_id
    )`,
);

const steps = statementPart<TraceStep & { runbookRecordId: string }>(
  'q',
  ({ progress: all }) =>
    all.flatMap(({ runbookRecordId, steps: made }) => made.map((step) => ({ ...step, runbookRecordId }))),
  new RowColumns({
    runbook_record_id: ['uuid', (row) => row.runbookRecordId],
    seq: ['int4', (row) => row.seq],
    step_id: ['text', (row) => toStoreText(row.stepId)],
    flow_step_id: ['text', (row) => toStoreText(row.flowStepId)],
    kind: ['text', (row) => row.kind],
    display_name: ['text', (row) => toStoreText(row.displayName)],
    status: ['text', (row) => row.status],
    input: ['jsonb', (row) => toStoredJson(row.input)],
    output: ['jsonb', (row) => toStoredJson(row.output)],
    reason: ['jsonb', (row) => toStoredJson(row.reason)],
    action_record_id: ['uuid', (row) => row.actionRecordId],
    started_at: ['timestamptz', (row) => row.startedAt],
    ended_at: ['timestamptz', (row) => row.endedAt],
  }),
  (x) => `
    stepped as (
      insert into runbook_record_step (runbook_record_id, space_id, seq, step_id, flow_step_id, kind, display_name, status, input,
        output, reason, action_record_id, started_at, ended_at)
      select x.runbook_record_id, g.space_id, x.seq, x.step_id, x.flow_step_id, x.kind, x.display_name, x.status, x.input,
        x.output, x.reason, x.action_record_id, x.started_at, x.ended_at
      from given g, ${x}
      on conflict (runbook_record_id, seq) do update set status = excluded.status, output = excluded.output,
        reason = excluded.reason, ended_at = excluded.ended_at
    )`,
);

export const runbookStatementParts: readonly StatementPart[] = [starts, progress, steps];
