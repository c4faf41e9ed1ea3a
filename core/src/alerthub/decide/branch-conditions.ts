// What a branch step of a runbook can ask about a field: true or false, a number, a regular expression.
import { z } from 'zod';
import { numberCompare } from './operators/number-compare.ts';
import { defineOperator, type Operator, pathParam, tested } from './operators/operator.ts';
import { regexMatch } from './operators/regex-match.ts';
import { reason } from './reason.ts';

/** The field is true or false, or the text of one of them; anything else is neither. */
const booleanCompare = defineOperator({
  operatorId: 'boolean-compare',
  kind: 'test',
  params: z.strictObject({ source: pathParam(), value: z.boolean().default(true) }),
  compile({ source, value }) {
    const wanted = reason('why.boolean', { path: source.text, wanted: String(value) });
    return (data) => {
      const seen = data.read(source);
      return tested(seen === value || seen === String(value), seen, wanted);
    };
  },
});

/** Every condition, in the order of a menu. */
export const branchConditions: readonly Operator[] = [booleanCompare, numberCompare, regexMatch];

const byId = new Map(branchConditions.map((condition) => [condition.operatorId, condition]));

/** The condition of that id, undefined when the product has none. */
export function branchConditionOf(conditionId: string): Operator | undefined {
  return byId.get(conditionId);
}
