// Evaluates waiting triggers: at the end of a mute schedule or when a delayed condition is due.

import type { ConditionDecision, TriggerDecision } from '../../decision-log.ts';
import type { ScopeStatus } from '../../scope-status.ts';
import { scopeStatuses } from '../../scope-status.ts';
import type { ReceivedMessage } from '../data/flow-data.ts';
import { FlowData, messageView } from '../data/flow-data.ts';
import { reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';
import { type CompiledTrigger, compileCondition } from '../evaluation/evaluate-trigger.ts';
import { isDelayed } from '../evaluation/trigger-conditions.ts';
import {
  type Batch,
  type BatchInput,
  type BatchResult,
  beginBatchItem,
  type EventRow,
  isFull,
  startBatch,
  toBatchResult,
  type WaitingTrigger,
} from './batch.ts';
import {
  catchTriggerErrors,
  deferUntilMuteEnds,
  recordMute,
  runTrigger,
  scheduleDelayedConditions,
  type TriggerContext,
} from './run-trigger.ts';

/** A waiting trigger that is due, with its stored event and, if it still exists, its message. */
export interface DueTrigger extends Omit<WaitingTrigger, 'eventId' | 'messageId'> {
  event: EventRow;
  message: ReceivedMessage | undefined;
}

/**
 * Evaluates the releases in order, and only the first ones if all would exceed the weight limit; each may
 * wait again with a new id.
 */
export function decideDueTriggers(input: BatchInput & { dueTriggers: readonly DueTrigger[] }): BatchResult {
  const batch = startBatch(input);
  for (const dueTrigger of input.dueTriggers) {
    if (isFull(batch)) break;
    beginBatchItem(batch);
    const { event, triggerId } = dueTrigger;
    batch.released.push(dueTrigger.waitingTriggerId);
    const known = batch.decided.get(event.eventId) ?? event.triggers;
    const next = known.map((decision) =>
      decision.triggerId === triggerId ? decideDueTrigger(batch, dueTrigger, decision) : decision,
    );
    batch.decided.set(event.eventId, next);
  }
  return toBatchResult(batch);
}

function decideDueTrigger(batch: Batch, dueTrigger: DueTrigger, before: TriggerDecision): TriggerDecision {
  const scope = batch.scope(dueTrigger.scopeId);
  const trigger = scope?.config.triggers.find((one) => one.source.triggerId === dueTrigger.triggerId);
  const isDelay = dueTrigger.cause === 'delay';
  const decision: TriggerDecision = {
    ...before,
    conditions: [...before.conditions],
    notes: [...before.notes],
    ...(isDelay ? {} : { releasedAt: batch.now }),
  };
  if (!scope || !trigger) {
    if (isDelay) decision.outcome = 'held';
    decision.notes.push(reason('why.trigger.gone'));
    return decision;
  }
  if (trigger.source.disabled) {
    if (isDelay) decision.outcome = 'disabled';
    decision.notes.push(reason('why.trigger.disabledSince'));
    return decision;
  }
  const triggerContext = { event: dueTrigger.event, scope, origin: originOf(dueTrigger) };
  return catchTriggerErrors(trigger, () => {
    if (isDelay) evaluateDelayedConditions(batch, dueTrigger, trigger, triggerContext, decision);
    else handleMuteEnd(batch, dueTrigger, trigger, triggerContext, decision);
    return decision;
  });
}

/** Evaluates the conditions that are due; the trigger fires once the last ones hold. */
function evaluateDelayedConditions(
  batch: Batch,
  dueTrigger: DueTrigger,
  trigger: CompiledTrigger,
  triggerContext: TriggerContext,
  decision: TriggerDecision,
): void {
  const { event, scope } = triggerContext;
  const pending = compilePendingConditions(dueTrigger, decision);
  if (!pending) return;
  const eventMs = Date.parse(event.createdAt);
  // The clock was ahead at the event and is not now: the shortest delay has passed.
  const passedMs = batch.nowMs < eventMs ? shortestDelayMs(pending) : batch.nowMs - eventMs;
  const isDue = ({ delaySeconds }: { delaySeconds: number }) => delaySeconds * 1000 <= passedMs;
  // Without a due condition the trigger would wait again forever.
  if (!pending.some(({ check }) => isDelayed(check) && isDue(check))) {
    decision.outcome = 'failed';
    decision.notes.push(reason('why.threw', { detail: 'none of its conditions was due' }));
    return;
  }
  let holds = true;
  const recordCondition = (index: number, said: Omit<ConditionDecision, 'conditionId'>) => {
    const { conditionId } = dueTrigger.pendingConditions.find((one) => one.index === index)!.condition;
    decision.conditions[index] = { conditionId, ...said, askedAt: batch.now };
    holds &&= said.holds;
  };
  for (const { index, check } of pending) {
    if (isDelayed(check) && isDue(check))
      recordCondition(index, check.test({ event, severities: scope.severities }));
  }
  if (!holds) {
    decision.outcome = 'held';
    return;
  }
  const remaining = pending.filter(({ check }) => !isDelayed(check) || !isDue(check));
  if (remaining.some(({ check }) => isDelayed(check))) {
    const kept = remaining.map(
      ({ index }) => dueTrigger.pendingConditions.find((one) => one.index === index)!,
    );
    scheduleDelayedConditions(batch, trigger, triggerContext, kept);
    return;
  }
  const { history, nowMs: now } = batch;
  for (const { index, check } of remaining) {
    if (!isDelayed(check))
      recordCondition(index, check.test({ event, history, now, triggerId: dueTrigger.triggerId }));
  }
  decision.outcome = holds ? 'fired' : 'held';
  if (holds) runTrigger(batch, trigger, triggerContext, decision);
}

function shortestDelayMs(pending: NonNullable<ReturnType<typeof compilePendingConditions>>): number {
  return Math.min(...pending.flatMap(({ check }) => (isDelayed(check) ? [check.delaySeconds * 1000] : [])));
}

function compilePendingConditions(dueTrigger: DueTrigger, decision: TriggerDecision) {
  try {
    return dueTrigger.pendingConditions.map(({ index, condition }) => ({
      index,
      ...compileCondition(condition),
    }));
  } catch (compileError) {
    // The stored conditions were written by another version.
    if (!(compileError instanceof FlowError)) throw compileError;
    const { path, reason: because } = compileError;
    decision.outcome = 'failed';
    decision.notes.push(reason('why.trigger.broken', { path, because }));
    return undefined;
  }
}

function handleMuteEnd(
  batch: Batch,
  dueTrigger: DueTrigger,
  trigger: CompiledTrigger,
  triggerContext: TriggerContext,
  decision: TriggerDecision,
): void {
  const { mutes } = triggerContext.scope.config;
  const muteScheduleId = dueTrigger.muteScheduleId!;
  const next = mutes.activeAt(batch.nowMs);
  if (next) {
    recordMute(decision, next);
    delete decision.releasedAt;
    deferUntilMuteEnds(batch, trigger, triggerContext, muteScheduleId, next.until);
    return;
  }
  if (mutes.isSilent(muteScheduleId)) {
    decision.notes.push(reason('why.mute.silent'));
    return;
  }
  const { status } = triggerContext.scope.severities;
  const said = { status: { word: `why.status.${status}` } };
  if (status === 'normal' || statusRank(status) < statusRank(dueTrigger.event.status)) {
    decision.notes.push(reason('why.mute.recovered', said));
    return;
  }
  decision.notes = [reason('why.mute.stillWrong', said)];
  decision.outcome = 'fired';
  runTrigger(batch, trigger, triggerContext, decision);
}

function statusRank(status: ScopeStatus): number {
  return scopeStatuses.indexOf(status);
}

function originOf({ event, values, message, depth }: DueTrigger): TriggerContext['origin'] {
  const view = message && messageView(message);
  return {
    source: event.source,
    rule: event.ruleId ? { ruleId: event.ruleId, data: new FlowData(values) } : undefined,
    message: message && view ? { messageId: message.messageId, view } : undefined,
    depth,
  };
}
