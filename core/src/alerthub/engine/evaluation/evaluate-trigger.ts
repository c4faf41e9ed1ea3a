// Triggers: compiled once, then evaluated for every event of their scope.

import type { TriggerDecision } from '../../decision-log.ts';
import type { Step } from '../../flow-schema.ts';
import type { Condition, RelatedMessageFilter } from '../../trigger.ts';
import type { FlowData } from '../data/flow-data.ts';
import { reason } from '../errors/decision-reason.ts';
import { FlowError, withErrorPath } from '../errors/flow-error.ts';
import { BatchHistory } from '../state/batch-history.ts';
import type { History } from '../state/event-history.ts';
import { type CompiledStep, checkFlow, compileFlow, runStep } from './compile-flow.ts';
import { compileRelatedFilter, type RelatedMessagePredicate } from './related-filters.ts';
import {
  type ConditionCheck,
  findCondition,
  type HistoryNeeds,
  isDelayed,
  type TriggerEvent,
} from './trigger-conditions.ts';

/** The fields of a trigger that evaluation needs. */
export interface TriggerSource {
  triggerId: string;
  scopeId: string;
  displayName: string;
  remarks: string;
  disabled: boolean;
  createdAt: string;
  conditions: readonly Condition[];
  flow: { steps: readonly Step[] };
  relatedMessageFilters: readonly RelatedMessageFilter[];
  target: { kind: string; id: string };
}

export interface CompiledCondition {
  conditionId: string;
  check: ConditionCheck;
  needs: HistoryNeeds;
}

export interface CompiledTrigger {
  source: TriggerSource;
  conditions: readonly CompiledCondition[];
  steps: readonly CompiledStep[];
  related: readonly RelatedMessagePredicate[];
  /**
   * How far the conditions look back and ahead of the event, in seconds: the windows of related messages.
   */
  lookBackSeconds: number;
  lookAheadSeconds: number;
  /** Why a stored trigger cannot be evaluated; it fails for every event with this reason. */
  compileError: FlowError | undefined;
}

/** Throws FlowError that names the field, e.g. `conditions.0.params.seconds`. */
export function compileTrigger(trigger: TriggerSource): CompiledTrigger {
  const conditions = trigger.conditions.map((condition, index) =>
    withErrorPath(`conditions.${index}`, () => compileCondition(condition)),
  );
  const steps = withErrorPath('flow', () => compileFlow(trigger.flow));
  const related = trigger.relatedMessageFilters.map((filter, index) =>
    withErrorPath(`relatedMessageFilters.${index}`, () => compileRelatedFilter(filter)),
  );
  const lookBackSeconds = Math.max(0, ...conditions.map(({ needs }) => needs.eventSeconds));
  const lookAheadSeconds = Math.max(0, ...conditions.map(({ check }) => check.delaySeconds));
  return {
    source: trigger,
    conditions,
    steps,
    related,
    lookBackSeconds,
    lookAheadSeconds,
    compileError: undefined,
  };
}

/** All errors in a trigger to be saved. */
export function checkTrigger(
  trigger: Pick<TriggerSource, 'conditions' | 'relatedMessageFilters' | 'flow'>,
): FlowError[] {
  let hasWindow = false;
  const errors = collectErrors('conditions', trigger.conditions, (condition) => {
    const { check, needs } = compileCondition(condition);
    hasWindow ||= isDelayed(check) || needs.eventSeconds > 0;
  });
  const filters = collectErrors('relatedMessageFilters', trigger.relatedMessageFilters, compileRelatedFilter);
  // A condition with errors may have a window, so report this only if the conditions are valid.
  if (trigger.relatedMessageFilters.length > 0 && !hasWindow && errors.length === 0)
    filters.push(new FlowError('relatedMessageFilters', reason('why.related.noWindow')));
  return [...errors, ...filters, ...checkFlow(trigger.flow).map((error) => error.withPathPrefix('flow'))];
}

function collectErrors<T>(name: string, items: readonly T[], compile: (item: T) => unknown): FlowError[] {
  return items.flatMap((item, index) => {
    try {
      compile(item);
      return [];
    } catch (error) {
      if (error instanceof FlowError) return [error.withPathPrefix(`${name}.${index}`)];
      throw error;
    }
  });
}

/** Throws FlowError with a path below the condition. */
export function compileCondition({ conditionId, params }: Condition): CompiledCondition {
  const kind = findCondition(conditionId);
  if (!kind) throw new FlowError('conditionId', reason('why.condition.unknown', { conditionId }));
  return { conditionId, ...kind.compile(params) };
}

/** How far back the conditions of a trigger look; 0 for not at all. */
export function historyNeeds(trigger: CompiledTrigger): HistoryNeeds {
  const needs = { eventSeconds: 0, actionSeconds: 0 };
  if (trigger.source.disabled || trigger.compileError) return needs;
  for (const condition of trigger.conditions) {
    needs.eventSeconds = Math.max(needs.eventSeconds, condition.needs.eventSeconds);
    needs.actionSeconds = Math.max(needs.actionSeconds, condition.needs.actionSeconds);
  }
  return needs;
}

/**
 * The outcome is `waiting` if all immediate conditions hold and others are delayed. Evaluates every
 * condition, even after one that does not hold, so that the log shows them all. `history` must contain the
 * event itself; `now` is in milliseconds since 1970.
 */
export function evaluateTrigger(
  trigger: CompiledTrigger,
  context: { event: TriggerEvent; history: History | BatchHistory; now: number },
): TriggerDecision {
  const { triggerId, displayName, disabled } = trigger.source;
  const decision: TriggerDecision = {
    triggerId,
    displayName,
    outcome: 'fired',
    conditions: [],
    notes: [],
    actionId: null,
    actionRecordId: null,
  };
  if (disabled) return { ...decision, outcome: 'disabled' };
  if (trigger.compileError) {
    const { path, reason: because } = trigger.compileError;
    return { ...decision, outcome: 'failed', notes: [reason('why.trigger.broken', { path, because })] };
  }
  const { event, now } = context;
  const history =
    context.history instanceof BatchHistory ? context.history : new BatchHistory(context.history);
  let isLater = false;
  for (const { conditionId, check } of trigger.conditions) {
    if (isDelayed(check)) {
      isLater = true;
      const dueAt = new Date(now + check.delaySeconds * 1000).toISOString();
      decision.conditions.push({ conditionId, holds: false, seen: null, reason: check.expected, dueAt });
      continue;
    }
    const result = check.test({ event, history, now, triggerId });
    decision.conditions.push({ conditionId, ...result });
    if (!result.holds) decision.outcome = 'held';
  }
  if (isLater && decision.outcome === 'fired') decision.outcome = 'waiting';
  return decision;
}

/**
 * Runs the flow of a trigger whose conditions hold. A test that stops holds the trigger back; after a failed
 * transform its value is missing and the action still runs, because an incomplete notification is better than
 * none.
 */
export function runTriggerFlow(trigger: CompiledTrigger, data: FlowData, decision: TriggerDecision): void {
  for (const [index, step] of trigger.steps.entries()) {
    const stepDecision = runStep(step, data);
    if (stepDecision.outcome === 'passed') continue;
    const params = {
      number: index + 1,
      operator: { word: `operator.${step.operatorId}` },
      because: stepDecision.reason,
      seen: stepDecision.seen ?? { word: 'why.nothing' },
    };
    if (step.kind === 'transform') {
      decision.notes.push(reason('why.trigger.stepSkipped', params));
      continue;
    }
    decision.outcome = stepDecision.outcome === 'stopped' ? 'held' : 'failed';
    decision.notes.push(reason('why.trigger.stepStopped', params));
    return;
  }
}
