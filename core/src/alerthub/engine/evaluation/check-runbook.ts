// Validates the graph of a runbook; every error has the path of its field.

import type { RunbookGraph, RunbookStep, RunbookStepKind } from '../../runbook.ts';
import { parsePath } from '../data/data-path.ts';
import { type DecisionReasonKey, reason } from '../errors/decision-reason.ts';
import { FlowError, withErrorPath } from '../errors/flow-error.ts';
import type { ActionSource } from '../template/render-action.ts';
import { getStepFunction } from './runbook-step-function.ts';
import { compileSelector } from './scope-selector.ts';
import { stepReferences } from './step-references.ts';

const paramsByKind: Record<RunbookStepKind, readonly (keyof RunbookStep['params'])[]> = {
  action: ['actionId', 'wait', 'timeoutSeconds', 'maxAttempts', 'continueOnFailure'],
  event: ['scopeId', 'attributes', 'severityName', 'delta'],
  operator: ['operatorId', 'params'],
  branch: ['conditionId', 'params'],
};

/**
 * Returns all errors; empty for a graph that can run. With `actions`, references to steps in the templates of the
 * graph's actions are checked as well.
 */
export function checkRunbook(
  { startStepId, steps }: RunbookGraph,
  actions: ReadonlyMap<string, ActionSource> = new Map(),
): FlowError[] {
  const errors: FlowError[] = [];
  const addError = (path: string, messageKey: DecisionReasonKey, params?: Record<string, unknown>) =>
    errors.push(new FlowError(path, reason(messageKey, params)));
  const byId = new Map<string, number>();
  for (const [index, step] of steps.entries()) {
    if (byId.has(step.stepId))
      addError(`steps.${index}.stepId`, 'why.runbook.twice', { stepId: step.stepId });
    else byId.set(step.stepId, index);
  }
  if (steps.length > 0 && (startStepId === null || !byId.has(startStepId)))
    addError('startStepId', 'why.runbook.noStart');
  if (steps.length === 0 && startStepId !== null) addError('startStepId', 'why.runbook.noStart');
  for (const [index, step] of steps.entries()) {
    for (const edge of ['next', 'nextTrue', 'nextFalse'] as const) {
      const target = step[edge];
      if (target === null) continue;
      if ((edge === 'next') === (step.kind === 'branch'))
        addError(`steps.${index}.${edge}`, 'why.runbook.noWay');
      else if (!byId.has(target))
        addError(`steps.${index}.${edge}`, 'why.runbook.dangling', { stepId: target });
    }
    errors.push(...checkParams(step).map((error) => error.withPathPrefix(`steps.${index}`)));
  }
  if (errors.length > 0) return errors;
  const everyStep = new Set(steps.keys());
  const reached = reachableSteps(startStepId, steps, byId);
  for (const [index, step] of steps.entries())
    if (!reached.has(step.stepId))
      addError(`steps.${index}`, 'why.runbook.unreachable', { stepId: step.stepId });
  for (const index of unboundedSteps(steps, byId)) addError(`steps.${index}.maxVisits`, 'why.runbook.cycle');
  for (const [index, step] of steps.entries()) {
    for (const { path, stepId } of stepReferences(step, actions)) {
      const referenced = byId.get(stepId);
      if (referenced === undefined) addError(`steps.${index}.${path}`, 'why.runbook.unknownStep', { stepId });
      else if (!canReach(referenced, index, steps, byId, everyStep))
        addError(`steps.${index}.${path}`, 'why.runbook.laterStep', { stepId });
    }
  }
  return errors;
}

/** Possible next steps of a step. */
export function nextStepIds(step: RunbookStep): string[] {
  const edges = step.kind === 'branch' ? [step.nextTrue, step.nextFalse] : [step.next];
  return edges.filter((edge) => edge !== null);
}

function checkParams({ kind, params }: RunbookStep): FlowError[] {
  const errors: FlowError[] = [];
  for (const name of Object.keys(params)) {
    if (!paramsByKind[kind].includes(name as keyof RunbookStep['params']))
      errors.push(new FlowError(`params.${name}`, reason('why.param.unknown')));
  }
  try {
    withErrorPath('params', () => compileParams(kind, params));
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    errors.push(error);
  }
  return errors;
}

function compileParams(kind: RunbookStepKind, params: RunbookStep['params']): void {
  const missing = (name: string) => new FlowError(name, reason('why.param.missing'));
  if (kind === 'action') {
    if (!params.actionId) throw missing('actionId');
    return;
  }
  if (kind === 'event') {
    if (params.delta === undefined) throw missing('delta');
    if (params.scopeId && params.attributes)
      throw new FlowError('attributes', reason('why.runbook.scopeOrAttributes'));
    if (!params.scopeId && !params.attributes) throw missing('scopeId');
    if (params.attributes) compileSelector({ attributes: params.attributes });
    const name = params.severityName;
    if (name && 'path' in name) withErrorPath('severityName.path', () => parsePath(name.path));
    return;
  }
  const id = kind === 'operator' ? 'operatorId' : 'conditionId';
  const wanted = params[id];
  if (!wanted) throw missing(id);
  getStepFunction(kind, wanted, id).compile(params.params ?? {});
}

function reachableSteps(
  start: string | null,
  steps: readonly RunbookStep[],
  byId: ReadonlyMap<string, number>,
): Set<string> {
  const reached = new Set<string>();
  const open = start === null ? [] : [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    open.push(...nextStepIds(steps[byId.get(id)!]!));
  }
  return reached;
}

/**
 * Steps of cycles without a bounded step: those left after removing bounded steps and then all dead ends.
 */
function unboundedSteps(steps: readonly RunbookStep[], byId: ReadonlyMap<string, number>): number[] {
  const left = new Set(steps.flatMap((step, index) => (step.maxVisits === null ? [index] : [])));
  for (let shrank = true; shrank; ) {
    shrank = false;
    for (const index of left) {
      if (nextStepIds(steps[index]!).some((edge) => left.has(byId.get(edge)!))) continue;
      left.delete(index);
      shrank = true;
    }
  }
  return [...left].filter((index) => canReach(index, index, steps, byId, left));
}

function canReach(
  from: number,
  to: number,
  steps: readonly RunbookStep[],
  byId: ReadonlyMap<string, number>,
  within: ReadonlySet<number>,
): boolean {
  const seen = new Set<number>();
  const open = [from];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    for (const edge of nextStepIds(steps[index]!)) {
      const target = byId.get(edge)!;
      if (target === to) return true;
      if (!within.has(target) || seen.has(target)) continue;
      seen.add(target);
      open.push(target);
    }
  }
  return false;
}
