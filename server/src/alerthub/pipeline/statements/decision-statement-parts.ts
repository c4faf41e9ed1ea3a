// Statement parts that write messages, events, severities, scopes and waiting triggers of a batch.
import type { BatchResult, EventRow, WaitingTrigger } from '@yagura/core/alerthub/engine/execution/batch';
import type { MessageDecision } from '@yagura/core/alerthub/engine/execution/decide-batch';
import { isWorse, overflowSeverityName } from '@yagura/core/alerthub/scope-status';
import { RowColumns } from '../../../db/binary-array.ts';
import { toStoreJson, toStoreText } from '../../../db/store-json.ts';
import { raisedAssignments } from '../../scope-state/acknowledgement.ts';
import type { HourCount } from './count-hours.ts';
import { type StatementPart, statementPart, toStoredJson } from './statement-part.ts';

/** Maximum messages per row of the index queue: their ids fit into the row itself. */
const maxUnindexedIds = 50;

const messages = statementPart<MessageDecision>(
  'm',
  (decided) => decided.messages,
  new RowColumns({
    message_id: ['uuid', (row) => row.messageId],
    matched: ['int4', (row) => row.matched],
    total: ['int4', (row) => row.total],
    rules: ['jsonb', (row) => toStoreJson(row.rules)],
    notes: ['jsonb', (row) => toStoreJson(row.notes)],
  }),
  (x, key) => `
    decided as (
      insert into decision (message_id, space_id, evaluated_at, matched, total, rules, notes)
      select x.message_id, g.space_id, g.now, x.matched, x.total, x.rules, x.notes from given g, ${x}
    ), unindexed as (
      insert into message_unindexed (message_ids)
      select ids[start : start + ${maxUnindexedIds - 1}]
      from given g, (select (select ${key}::uuid[]) as ids) x, generate_series(1, cardinality(ids), ${maxUnindexedIds}) start
    )`,
);

const counts = statementPart<HourCount>(
  'c',
  (decided) => decided.counts,
  new RowColumns({
    receive_slot_id: ['uuid', (row) => row.receiveSlotId],
    hour: ['timestamptz', (row) => row.hour],
    received: ['int4', (row) => row.received],
    matched: ['int4', (row) => row.matched],
  }),
  (x) => `
    counted as (
      insert into message_count (space_id, receive_slot_id, hour, received, matched)
      select g.space_id, x.receive_slot_id, x.hour, x.received, x.matched from given g, ${x}
      on conflict (receive_slot_id, hour) do update set received = message_count.received + excluded.received,
        matched = message_count.matched + excluded.matched
    )`,
);

const events = statementPart<EventRow>(
  'e',
  ({ result }) => result.events,
  new RowColumns({
    event_id: ['uuid', (row) => row.eventId],
    scope_id: ['uuid', (row) => row.scopeId],
    severity_name: ['text', (row) => toStoreText(row.severityName)],
    delta: ['int4', (row) => row.delta],
    previous_severity: ['int4', (row) => row.previousSeverity],
    severity: ['int4', (row) => row.severity],
    status_before: ['text', (row) => row.statusBefore],
    status: ['text', (row) => row.status],
    source: ['text', (row) => row.source],
    rule_id: ['uuid', (row) => row.ruleId],
    message_id: ['uuid', (row) => row.messageId],
    cause: ['jsonb', (row) => (row.cause ? toStoreJson(row.cause) : null)],
    triggers: ['jsonb', (row) => toStoreJson(row.triggers)],
  }),
  (x) => `
    raised as (
      insert into event (event_id, space_id, scope_id, severity_name, delta, previous_severity, severity, status_before, status,
        source, rule_id, message_id, cause, triggers, created_at)
      select x.event_id, g.space_id, x.scope_id, x.severity_name, x.delta, x.previous_severity, x.severity, x.status_before,
        x.status, x.source, x.rule_id, x.message_id, x.cause, x.triggers, g.now
      from given g, ${x}
    )`,
);

const severities = statementPart<BatchResult['severities'][number]>(
  's',
  ({ result }) => result.severities,
  new RowColumns({
    scope_id: ['uuid', (row) => row.scopeId],
    name: ['text', (row) => toStoreText(row.name)],
    value: ['int4', (row) => row.value],
  }),
  (x) => `
    moved as (
      insert into severity (space_id, scope_id, name, value, created_at, updated_at)
      select g.space_id, x.scope_id, x.name, x.value, g.now, g.now from given g, ${x}
      on conflict (scope_id, name) do update set value = excluded.value, updated_at = excluded.updated_at
    )`,
);

const removedSeverities = statementPart<BatchResult['evictedSeverities'][number]>(
  'g',
  ({ result }) => result.evictedSeverities,
  new RowColumns({
    scope_id: ['uuid', (row) => row.scopeId],
    name: ['text', (row) => toStoreText(row.name)],
  }),
  (x, key) => `
    gave_way as (
      delete from severity s using given g, ${x}
      where s.scope_id = any(${key}::uuid[]) and s.scope_id = x.scope_id and s.name = x.name
    )`,
);

const contributions = statementPart<BatchResult['contributions'][number]>(
  'i',
  ({ result }) => result.contributions.filter(({ value }) => value > 0),
  new RowColumns({
    scope_id: ['uuid', (row) => row.scopeId],
    name: ['text', (row) => toStoreText(row.name)],
    fingerprint: ['text', (row) => toStoreText(row.fingerprint)],
    value: ['int4', (row) => row.value],
  }),
  (x) => `
    contributed as (
      insert into severity_fingerprint (space_id, scope_id, name, fingerprint, value, updated_at)
      select g.space_id, x.scope_id, x.name, x.fingerprint, x.value, g.now from given g, ${x}
      on conflict (scope_id, name, fingerprint) do update set value = excluded.value, updated_at = excluded.updated_at
    )`,
);

const removedContributions = statementPart<BatchResult['contributions'][number]>(
  'j',
  ({ result }) => result.contributions.filter(({ value }) => value === 0),
  new RowColumns({
    scope_id: ['uuid', (row) => row.scopeId],
    name: ['text', (row) => toStoreText(row.name)],
    fingerprint: ['text', (row) => toStoreText(row.fingerprint)],
  }),
  (x, key) => `
    contributions_gone as (
      delete from severity_fingerprint f using given g, ${x}
      where f.scope_id = any(${key}::uuid[]) and f.scope_id = x.scope_id and f.name = x.name
        and f.fingerprint = x.fingerprint
    )`,
);

const clearedContributions = statementPart<BatchResult['clearedContributions'][number]>(
  'k',
  ({ result }) => result.clearedContributions,
  new RowColumns({
    scope_id: ['uuid', (row) => row.scopeId],
    name: ['text', (row) => toStoreText(row.name)],
  }),
  (x, key) => `
    contributions_cleared as (
      delete from severity_fingerprint f using given g, ${x}
      where f.scope_id = any(${key}::uuid[]) and f.scope_id = x.scope_id and f.name = x.name
    )`,
);

const scopeOverflows = statementPart<{ troubleId: string; scopeId: string }>(
  'o',
  ({ result, nextId }) =>
    result.events
      .filter(
        ({ severityName, previousSeverity }) =>
          severityName === overflowSeverityName && previousSeverity === 0,
      )
      .map(({ scopeId }) => ({ troubleId: nextId(), scopeId })),
  new RowColumns({
    trouble_id: ['uuid', (row) => row.troubleId],
    scope_id: ['uuid', (row) => row.scopeId],
    reason: ['jsonb', () => toStoreJson({ word: 'notice.full', params: { overflow: overflowSeverityName } })],
  }),
  (x) => `
    overflowed as (
      insert into trouble (trouble_id, space_id, kind, subject_id, reason, created_at)
      select x.trouble_id, g.space_id, 'full', x.scope_id, x.reason, g.now from given g, ${x}
    )`,
);

/** A status that an event made worse is a new one to acknowledge, even if the last event made it better again. */
const scopes = statementPart<BatchResult['scopes'][number] & { recoveryAt: string | null; raised: boolean }>(
  't',
  ({ result, recoveryAt }) => {
    const raised = new Set(
      result.events
        .filter(({ status, statusBefore }) => isWorse(status, statusBefore))
        .map(({ scopeId }) => scopeId),
    );
    return result.scopes.map((scope) => ({
      ...scope,
      recoveryAt: recoveryAt.get(scope.scopeId) ?? null,
      raised: scope.status !== 'normal' && raised.has(scope.scopeId),
    }));
  },
  new RowColumns({
    scope_id: ['uuid', (row) => row.scopeId],
    status: ['text', (row) => row.status],
    severity: ['int4', (row) => row.severity],
    recovery_at: ['timestamptz', (row) => row.recoveryAt],
    raised: ['bool', (row) => row.raised],
  }),
  (x) => `
    state as (
      insert into scope_state (scope_id, space_id, status, severity, last_event_at, recovery_at, raised_at)
      select x.scope_id, g.space_id, x.status, x.severity, g.now, x.recovery_at, case when x.raised then g.now end
      from given g, ${x}
      on conflict (scope_id) do update set status = excluded.status, severity = excluded.severity,
        last_event_at = excluded.last_event_at, recovery_at = excluded.recovery_at, ${raisedAssignments}
    )`,
);

const reportedScopes = statementPart<{ scopeId: string; recoveryAt: string | null }>(
  'r',
  ({ result, recoveryAt }) =>
    result.reportedAgain.map((scopeId) => ({ scopeId, recoveryAt: recoveryAt.get(scopeId) ?? null })),
  new RowColumns({
    scope_id: ['uuid', (row) => row.scopeId],
    recovery_at: ['timestamptz', (row) => row.recoveryAt],
  }),
  (x, key) => `
    reported as (
      update scope_state s set recovery_at = x.recovery_at, last_reported_at = g.now from given g, ${x}
      where s.scope_id = any(${key}::uuid[]) and s.scope_id = x.scope_id and s.recovery_at is not null
    )`,
);

const reevaluatedEvents = statementPart<BatchResult['updatedEvents'][number]>(
  'd',
  ({ result }) => result.updatedEvents,
  new RowColumns({
    event_id: ['uuid', (row) => row.eventId],
    triggers: ['jsonb', (row) => toStoreJson(row.triggers)],
  }),
  (x, key) => `
    redecided as (
      update event e set triggers = x.triggers from given g, ${x}
      where e.event_id = any(${key}::uuid[]) and e.event_id = x.event_id
    )`,
);

const releasedTriggers = statementPart<string>(
  'l',
  ({ result }) => result.released,
  new RowColumns({ waiting_trigger_id: ['uuid', (id) => id] }),
  (_x, key) => `
    let_go as (
      delete from waiting_trigger where exists (select 1 from given) and waiting_trigger_id = any(${key}::uuid[])
    )`,
);

/** Only the latest time a trigger was held back by a mute schedule counts; earlier rows are deleted. */
const mutedTriggers = statementPart<string>(
  'u',
  ({ result }) => result.waiting.filter(({ cause }) => cause === 'mute').map(({ triggerId }) => triggerId),
  new RowColumns({ trigger_id: ['uuid', (id) => id] }),
  (_x, key) => `
    forgotten as (
      delete from waiting_trigger
      where exists (select 1 from given) and trigger_id = any(${key}::uuid[]) and cause = 'mute'
    )`,
);

const waitingTriggers = statementPart<WaitingTrigger>(
  'w',
  ({ result }) => result.waiting,
  new RowColumns({
    waiting_trigger_id: ['uuid', (row) => row.waitingTriggerId],
    scope_id: ['uuid', (row) => row.scopeId],
    trigger_id: ['uuid', (row) => row.triggerId],
    event_id: ['uuid', (row) => row.eventId],
    message_id: ['uuid', (row) => row.messageId],
    cause: ['text', (row) => row.cause],
    mute_schedule_id: ['uuid', (row) => row.muteScheduleId],
    due_at: ['timestamptz', (row) => row.dueAt],
    asks: ['jsonb', (row) => toStoredJson(row.pendingConditions)],
    trigger_values: ['jsonb', (row) => toStoredJson(row.values)],
    depth: ['int4', (row) => row.depth],
  }),
  (x) => `
    kept_waiting as (
      insert into waiting_trigger (waiting_trigger_id, space_id, scope_id, trigger_id, event_id, message_id, cause,
        mute_schedule_id, due_at, asks, trigger_values, depth)
      select x.waiting_trigger_id, g.space_id, x.scope_id, x.trigger_id, x.event_id, x.message_id, x.cause,
        x.mute_schedule_id, x.due_at, x.asks, x.trigger_values, x.depth
      from given g, ${x}
    )`,
);

export const decisionStatementParts: readonly StatementPart[] = [
  ...[
    messages,
    counts,
    events,
    severities,
    removedSeverities,
    contributions,
    removedContributions,
    clearedContributions,
    scopeOverflows,
    scopes,
    reportedScopes,
    reevaluatedEvents,
    releasedTriggers,
    mutedTriggers,
    waitingTriggers,
  ],
];
