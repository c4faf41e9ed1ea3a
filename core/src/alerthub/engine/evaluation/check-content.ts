// Checks what the schema of a kind cannot express: steps, conditions and templates. What depends on other items, or on where
// a webhook may go, only the server knows.

import { action } from '../../action.ts';
import { rule } from '../../rule.ts';
import { runbook, runbookGraph } from '../../runbook.ts';
import { trigger } from '../../trigger.ts';
import type { FlowError } from '../errors/flow-error.ts';
import { type ActionSource, checkAction } from '../template/render-action.ts';
import { checkRunbook } from './check-runbook.ts';
import { checkRule, type RuleBody } from './evaluate-rule.ts';
import { checkTrigger, type TriggerSource } from './evaluate-trigger.ts';

const checks: Record<string, (input: Record<string, unknown>) => FlowError[]> = {
  [action.name]: (input) => checkAction(input as unknown as ActionSource),
  [rule.name]: (input) => checkRule(input as unknown as RuleBody),
  [runbook.name]: (input) => checkRunbook(runbookGraph.parse(input)),
  [trigger.name]: (input) => checkTrigger(input as unknown as TriggerSource),
};

/** Errors in the steps, conditions and templates of an item whose input is valid by its schema. */
export function checkContent(kind: string, input: Record<string, unknown>): FlowError[] {
  return checks[kind]?.(input) ?? [];
}
