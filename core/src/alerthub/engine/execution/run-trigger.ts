// Evaluates the triggers of an event: conditions, flow, mute schedules, and the action or runbook to run.

import type { ActiveMute, Reason, TriggerDecision } from '../../decision-log.ts';
import type { RunbookSource } from '../../runbook.ts';
import { toScopeStatus } from '../../scope-status.ts';
import { boundedJson } from '../data/bounded-json.ts';
import { FlowData, reservedRoots } from '../data/flow-data.ts';
import { reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';
import type { NamedAction } from '../evaluation/compile-config.ts';
import {
  type CompiledTrigger,
  compileCondition,
  evaluateTrigger,
  runTriggerFlow,
} from '../evaluation/evaluate-trigger.ts';
import { isDelayed } from '../evaluation/trigger-conditions.ts';
import { renderAction } from '../template/render-action.ts';
import type {
  Batch,
  EventOrigin,
  EventRow,
  Firing,
  RunbookStart,
  ScopeState,
  WaitingTrigger,
} from './batch.ts';
import { addWeight, maxWeightPerItem } from './batch.ts';
import { collectRelatedMessages, maxRelatedMessages, type RelatedMessages } from './related-messages.ts';

/** Input of a trigger: an event, the current state of its scope, and the source of the event. */
export interface TriggerContext {
  event: EventRow;
  scope: ScopeState;
  origin: EventOrigin;
}

/** Maximum length as JSON of a value that is stored with a waiting trigger or a requested runbook. */
const maxDeferredValueLength = 65_536;
/** Roots that a runbook record stores or builds itself. */
const separatelyStoredRoots: ReadonlySet<string> = new Set(['message', 'runbook', 'runbookRecord', 'steps']);
/** Maximum number of runbooks that may start one another through events. */
const maxRunbookDepth = 8;

export function processTrigger(
  batch: Batch,
  trigger: CompiledTrigger,
  triggerContext: TriggerContext,
): TriggerDecision {
  const { history, nowMs } = batch;
  return catchTriggerErrors(trigger, () => {
    const decision = evaluateTrigger(trigger, { event: triggerContext.event, history, now: nowMs });
    if (decision.outcome === 'fired') runTrigger(batch, trigger, triggerContext, decision);
    if (decision.outcome === 'waiting')
      scheduleDelayedConditions(batch, trigger, triggerContext, remainingConditions(trigger));
    return decision;
  });
}

/** Runs the flow of a trigger whose conditions hold, then its action unless the scope is muted. */
export function runTrigger(
  batch: Batch,
  trigger: CompiledTrigger,
  triggerContext: TriggerContext,
  decision: TriggerDecision,
): void {
  const data = buildTriggerData(batch, trigger, triggerContext);
  if (data.root.relatedMessagesTruncated === true)
    decision.notes.push(reason('why.related.truncated', { most: maxRelatedMessages }));
  runTriggerFlow(trigger, data, decision);
  if (decision.outcome !== 'fired') return;
  const mute = triggerContext.scope.config.mutes.activeAt(batch.nowMs);
  if (!mute) {
    fireTrigger(batch, trigger, triggerContext, data, decision);
    return;
  }
  recordMute(decision, mute);
  if (mute.atEnd === 'fire')
    deferUntilMuteEnds(batch, trigger, triggerContext, mute.muteScheduleId, mute.until);
}

/** Records that a mute schedule holds the trigger back. */
export function recordMute(decision: TriggerDecision, mute: ActiveMute): void {
  decision.outcome = 'muted';
  decision.mutes = [...(decision.mutes ?? []), mute];
}

/** Keeps the trigger until the end of a mute schedule, replacing an earlier hold of the same trigger. */
export function deferUntilMuteEnds(
  batch: Batch,
  trigger: CompiledTrigger,
  { event, origin }: TriggerContext,
  muteScheduleId: string,
  dueAt: string,
): void {
  const { triggerId, scopeId } = trigger.source;
  batch.waiting = batch.waiting.filter((other) => other.cause !== 'mute' || other.triggerId !== triggerId);
  batch.waiting.push({
    waitingTriggerId: batch.nextId(),
    scopeId,
    triggerId,
    eventId: event.eventId,
    messageId: event.messageId,
    cause: 'mute',
    muteScheduleId,
    dueAt,
    pendingConditions: [],
    values: deferrableValues(batch, origin),
    depth: origin.depth,
  });
}

/** Keeps the trigger until its first delayed condition is due. Throws if there is none. */
export function scheduleDelayedConditions(
  batch: Batch,
  trigger: Pick<CompiledTrigger, 'source'>,
  { event, origin }: TriggerContext,
  pendingConditions: WaitingTrigger['pendingConditions'],
): void {
  const { triggerId, scopeId } = trigger.source;
  const after = Math.min(
    ...pendingConditions
      .map(({ condition }) => compileCondition(condition).check.delaySeconds)
      .filter(Boolean),
  );
  batch.waiting.push({
    waitingTriggerId: batch.nextId(),
    scopeId,
    triggerId,
    eventId: event.eventId,
    messageId: event.messageId,
    cause: 'delay',
    muteScheduleId: null,
    dueAt: new Date(Date.parse(event.createdAt) + after * 1000).toISOString(),
    pendingConditions,
    values: deferrableValues(batch, origin),
    depth: origin.depth,
  });
}

/**
 * Conditions still to be evaluated for a trigger whose other conditions hold. Limits on recent actions are
 * checked again when the trigger is about to fire: otherwise every event of one incident would fire as soon
 * as its delay ends.
 */
function remainingConditions(trigger: CompiledTrigger): WaitingTrigger['pendingConditions'] {
  return trigger.conditions.flatMap(({ check, needs }, index) =>
    isDelayed(check) || needs.actionSeconds > 0
      ? [{ index, condition: trigger.source.conditions[index]! }]
      : [],
  );
}

/** An unexpected error fails one trigger, not the batch. */
export function catchTriggerErrors(
  trigger: CompiledTrigger,
  evaluate: () => TriggerDecision,
): TriggerDecision {
  try {
    return evaluate();
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 200) : String(error);
    const { triggerId, displayName } = trigger.source;
    const notes = [reason('why.threw', { detail })];
    const nothing = { conditions: [], actionId: null, actionRecordId: null };
    return { triggerId, displayName, outcome: 'failed', notes, ...nothing };
  }
}

function fireTrigger(
  batch: Batch,
  trigger: CompiledTrigger,
  { event, origin }: TriggerContext,
  data: FlowData,
  decision: TriggerDecision,
): void {
  const { target, triggerId } = trigger.source;
  const fail = (because: Reason) => {
    decision.outcome = 'failed';
    decision.notes.push(because);
  };
  if (target.kind === 'runbook') {
    decision.runbookId = target.id;
    const runbook = batch.config.runbooks.get(target.id);
    if (!runbook) {
      fail(reason('why.runbook.gone', { runbookId: target.id }));
      return;
    }
    if (origin.depth > maxRunbookDepth) {
      fail(reason('why.runbook.tooDeep', { most: maxRunbookDepth }));
      return;
    }
    decision.runbookRecordId = requestRunbook(batch, runbook, data.root, {
      origin: 'trigger',
      sourceMessageId: event.messageId,
      sourceScopeId: event.scopeId,
      triggerId,
      eventId: event.eventId,
      depth: origin.depth,
    });
    batch.history.addAction(triggerId, batch.nowMs);
    return;
  }
  decision.actionId = target.id;
  const action = batch.config.actions.get(target.id);
  if (!action) {
    fail(reason('why.action.gone', { actionId: target.id }));
    return;
  }
  const firing = createFiring(batch, action, data.root, {
    scopeId: event.scopeId,
    triggerId,
    eventId: event.eventId,
    messageId: event.messageId,
    runbookRecordId: null,
  });
  if ('word' in firing) {
    fail(firing);
    return;
  }
  decision.actionRecordId = firing.actionRecordId;
  if (firing.problem) decision.notes.push(firing.problem);
  if (firing.missing.length > 0)
    decision.notes.push(reason('why.action.missing', { names: firing.missing.join(', ').slice(0, 500) }));
  batch.history.addAction(triggerId, batch.nowMs);
  batch.firings.push(firing);
}

const tooLargeReason = reason('why.action.tooMuch', { most: maxWeightPerItem });

/** Approximate length of the value as JSON in characters. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let weight = 8;
  for (const [name, member] of Object.entries(value)) weight += name.length + weightOf(member);
  return weight;
}

/** Renders the templates of an action; for a kind that cannot run, returns the reason. */
export function createFiring(
  batch: Batch,
  action: NamedAction,
  context: Record<string, unknown>,
  source: Pick<Firing, 'scopeId' | 'triggerId' | 'eventId' | 'messageId' | 'runbookRecordId'>,
): Firing | Reason {
  let rendered: Pick<Firing, 'request' | 'missing' | 'problem'>;
  try {
    rendered = { ...renderAction(action, context), problem: null };
    if (!addWeight(batch, weightOf(rendered.request))) throw new FlowError('parameters', tooLargeReason);
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    if (error.path === 'kind') return error.reason;
    const problem = reason('delivery.badTemplate', { path: error.path, detail: error.reason });
    rendered = { request: null, missing: [], problem };
  }
  const { actionId, kind } = action;
  return {
    actionRecordId: batch.nextId(),
    actionId,
    kind,
    ...source,
    deliveryId: batch.nextId(),
    ...rendered,
  };
}

/** Requests a runbook record and returns its id. */
export function requestRunbook(
  batch: Batch,
  runbook: RunbookSource,
  root: Record<string, unknown>,
  source: Omit<RunbookStart, 'runbookRecordId' | 'runbook' | 'context'>,
): string {
  const runbookRecordId = batch.nextId();
  // The message is stored separately, and large values are not stored twice.
  const context = pickSmallValues(batch, root, separatelyStoredRoots);
  batch.runbookStarts.push({ runbookRecordId, runbook, ...source, context });
  return runbookRecordId;
}

/** All data that the flow and the templates of one firing can read. */
function buildTriggerData(
  batch: Batch,
  trigger: CompiledTrigger,
  { event, scope, origin }: TriggerContext,
): FlowData {
  // Templates send these fields to other systems, which need not know who raised the event.
  const { triggers: _triggers, cause: _cause, ...ownEvent } = event;
  const { attributes: _attributes, ...ownScope } = scope.config.source;
  const { triggerId, displayName, remarks } = trigger.source;
  const data = new FlowData({
    ...origin.rule?.data.root,
    event: ownEvent,
    scope: {
      ...ownScope,
      status: scope.severities.status,
      severity: scope.severities.severity,
      lastEventAt: batch.now,
      attributes: Object.fromEntries(scope.config.attributes),
    },
    scopeSeverities: [...scope.severities.values].map(([name, value]) => ({
      name,
      value,
      status: toScopeStatus(value, ownScope.thresholds),
    })),
    space: batch.config.space,
    trigger: { triggerId, displayName, remarks },
  });
  if (origin.message) data.root.message = origin.message.view;
  if (scope.config.usesRelatedMessages && trigger.lookBackSeconds + trigger.lookAheadSeconds > 0)
    addRelatedMessages(data, collectRelatedMessages(batch, trigger, event, origin.message));
  return data;
}

function addRelatedMessages(data: FlowData, { messages, isTruncated }: RelatedMessages): void {
  data.root.relatedMessages = messages;
  data.root.relatedMessagesTruncated = isTruncated;
}

/** Values written by the rule's steps that are small enough to be stored with a waiting trigger. */
function deferrableValues(batch: Batch, origin: EventOrigin): WaitingTrigger['values'] {
  return pickSmallValues(batch, origin.rule?.data.root ?? {}, reservedRoots);
}

/** Values of a root that are small enough to be stored, except some names. */
function pickSmallValues(
  batch: Batch,
  root: object,
  excludedNames: ReadonlySet<string>,
): Record<string, unknown> {
  const kept = Object.entries(root).filter(([name, value]) => {
    if (excludedNames.has(name)) return false;
    const { text, isComplete } = boundedJson(value, maxDeferredValueLength);
    return isComplete && addWeight(batch, text.length);
  });
  return Object.fromEntries(kept);
}
