// Compiles the steps of a flow and runs them on the data of one message.

import type { StepDecision } from '../../decision-log.ts';
import type { Step } from '../../flow-schema.ts';
import type { FlowData } from '../data/flow-data.ts';
import { reason } from '../errors/decision-reason.ts';
import { FlowError, toFlowError, withErrorPath } from '../errors/flow-error.ts';
import type { StepFunction, StepResult } from '../operators/define-operator.ts';
import { findOperator } from '../operators/operators.ts';

export interface CompiledStep {
  operatorId: string;
  kind: 'test' | 'transform';
  run: StepFunction;
}

/** Throws FlowError with a path below `steps`. */
export function compileFlow(flow: { steps: readonly Step[] }): CompiledStep[] {
  return flow.steps.map((step, index) => withErrorPath(`steps.${index}`, () => compileStep(step)));
}

/** Errors of all steps that do not compile, with paths below `steps`. */
export function checkFlow(flow: { steps: readonly Step[] }): FlowError[] {
  return flow.steps.flatMap((step, index) => {
    try {
      compileStep(step);
      return [];
    } catch (error) {
      if (error instanceof FlowError) return [error.withPathPrefix(`steps.${index}`)];
      throw error;
    }
  });
}

function compileStep(step: Step): CompiledStep {
  const operator = findOperator(step.operatorId);
  if (!operator)
    throw new FlowError('operatorId', reason('why.operator.unknown', { operatorId: step.operatorId }));
  return { operatorId: operator.operatorId, kind: operator.kind, run: operator.compile(step.params) };
}

/** Runs one step and stores the value it writes; a step's error is returned as its result. */
export function runStep(step: CompiledStep, data: FlowData): StepDecision {
  let result: StepResult;
  try {
    result = step.run(data);
    if (result.write) data.write(result.write.name, result.write.value);
  } catch (error) {
    return {
      operatorId: step.operatorId,
      outcome: 'failed',
      seen: null,
      reason: toFlowError(error).reason,
    };
  }
  return { operatorId: step.operatorId, outcome: result.outcome, seen: result.seen, reason: result.reason };
}
