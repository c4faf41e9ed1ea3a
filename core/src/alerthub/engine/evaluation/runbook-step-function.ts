// Finds the operator or the branch condition of a runbook step.
import { reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';
import { findBranchCondition } from '../operators/branch-conditions.ts';
import type { Operator } from '../operators/define-operator.ts';
import { findOperator } from '../operators/operators.ts';

/** Throws a FlowError at `path` if there is no operator, or no condition, with this id. */
export function getStepFunction(kind: 'operator' | 'branch', id: string, path: string): Operator {
  const found = kind === 'operator' ? findOperator(id) : findBranchCondition(id);
  if (found) return found;
  throw new FlowError(
    path,
    kind === 'operator'
      ? reason('why.operator.unknown', { operatorId: id })
      : reason('why.condition.unknown', { conditionId: id }),
  );
}
