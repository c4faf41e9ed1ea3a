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

/** Parameter with the id of an earlier step. */
const stepIdParam = () => z.string().min(1).max(64).meta({ format: 'step-id' });

const stepOutcomes = ['succeeded', 'failed', 'timedOut'] as const;
export type StepOutcome = (typeof stepOutcomes)[number];

/** Tests how an earlier step ended; an action that was answered with an error has failed. */
const stepOutcome = defineOperator({
  operatorId: 'step-outcome',
  kind: 'test',
  params: z.strictObject({ step: stepIdParam(), outcome: z.enum(stepOutcomes).default('failed') }),
  compile({ step, outcome }) {
    const path = { text: `steps.${step}.outcome`, keys: ['steps', step, 'outcome'] };
    const wanted = reason('why.step.outcome', { stepId: step, outcome });
    return (data) => {
      const seen = data.read(path);
      return testResult(seen === outcome, seen, wanted);
    };
  },
});

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Tests the HTTP status of the latest response to the webhook of an earlier step. */
const statusClass = defineOperator({
  operatorId: 'status-class',
  kind: 'test',
  params: z.strictObject({ step: stepIdParam(), class: z.enum(statusClasses).default('5xx') }),
  compile({ step, class: statusClass }) {
    const path = { text: `steps.${step}.output.statusCode`, keys: ['steps', step, 'output', 'statusCode'] };
    const wanted = reason('why.step.statusClass', { stepId: step, statusClass });
    return (data) => {
      const seen = data.read(path);
      const holds = typeof seen === 'number' && Math.floor(seen / 100) === Number(statusClass[0]);
      return testResult(holds, seen, wanted);
    };
  },
});

/** All conditions, in menu order. */
export const branchConditions: readonly Operator[] = [
  booleanCompare,
  numberCompare,
  regexMatch,
  stepOutcome,
  statusClass,
];

const byId = new Map(branchConditions.map((condition) => [condition.operatorId, condition]));

/** The condition with this id; undefined if unknown. */
export function findBranchCondition(conditionId: string): Operator | undefined {
  return byId.get(conditionId);
}
