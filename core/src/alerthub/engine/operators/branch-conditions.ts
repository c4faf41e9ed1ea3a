// What a branch step of a runbook can ask about a field: true or false, a number, a regular expression.
import { z } from 'zod';
import { reason } from '../errors/decision-reason.ts';
import { defineOperator, type Operator, pathParam, testResult } from './define-operator.ts';
import { numberCompare } from './number-compare.ts';
import { regexMatch } from './regex-match.ts';

/** The field is true or false, or the text of one of them; anything else is neither. */
const booleanCompare = defineOperator({
  operatorId: 'boolean-compare',
  kind: 'test',
  params: z.strictObject({ source: pathParam(), value: z.boolean().default(true) }),
  compile({ source, value }) {
    const wanted = reason('why.boolean', { path: source.text, wanted: String(value) });
    return (data) => {
      const seen = data.read(source);
      return testResult(seen === value || seen === String(value), seen, wanted);
    };
  },
});

/** Every condition, in the order of a menu. */
export const branchConditions: readonly Operator[] = [booleanCompare, numberCompare, regexMatch];

const byId = new Map(branchConditions.map((condition) => [condition.operatorId, condition]));

/** The condition of that id, undefined when the product has none. */
export function findBranchCondition(conditionId: string): Operator | undefined {
  return byId.get(conditionId);
}
