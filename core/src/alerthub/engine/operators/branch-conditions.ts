// Conditions that a branch step of a runbook can test on a field: boolean, number, regular expression.
import { z } from 'zod';
import { firstSelected } from '../data/selected-list.ts';
import { reason } from '../errors/decision-reason.ts';
import { defineOperator, type Operator, pathParam, testResult } from './define-operator.ts';
import { numberCompare } from './number-compare.ts';
import { regexMatch } from './regex-match.ts';

/** Accepts a boolean or the text `true` or `false`; any other value never matches. */
const booleanCompare = defineOperator({
  operatorId: 'boolean-compare',
  kind: 'test',
  params: z.strictObject({ source: pathParam(), value: z.boolean().default(true) }),
  compile({ source, value }) {
    const wanted = reason('why.boolean', { path: source.text, wanted: String(value) });
    return (data) => {
      const seen = firstSelected(data.read(source));
      return testResult(seen === value || seen === String(value), seen, wanted);
    };
  },
});

/** All conditions, in menu order. */
export const branchConditions: readonly Operator[] = [booleanCompare, numberCompare, regexMatch];

const byId = new Map(branchConditions.map((condition) => [condition.operatorId, condition]));

/** The condition with this id; undefined if unknown. */
export function findBranchCondition(conditionId: string): Operator | undefined {
  return byId.get(conditionId);
}
