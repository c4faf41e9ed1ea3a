// Checks what the schema of a kind cannot express: steps, conditions and templates, as the server does when it saves the
// item. What depends on other items, or on where a webhook may go, only the server knows.

import { action } from '../alerthub/action.ts';
import type { FlowError } from '../alerthub/engine/errors/flow-error.ts';
import { checkRunbook } from '../alerthub/engine/evaluation/check-runbook.ts';
import { checkRule, type RuleBody } from '../alerthub/engine/evaluation/evaluate-rule.ts';
import { checkTrigger, type TriggerSource } from '../alerthub/engine/evaluation/evaluate-trigger.ts';
import { type ActionSource, checkAction } from '../alerthub/engine/template/render-action.ts';
import { rule } from '../alerthub/rule.ts';
import { runbook, runbookGraph } from '../alerthub/runbook.ts';
import { trigger } from '../alerthub/trigger.ts';
import type { Fields } from './plan-item.ts';

const checks: Record<string, (input: Fields) => FlowError[]> = {
  [action.name]: (input) => checkAction(input as unknown as ActionSource),
  [rule.name]: (input) => checkRule(input as unknown as RuleBody),
  [runbook.name]: (input) => checkRunbook(runbookGraph.parse(input)),
  [trigger.name]: (input) => checkTrigger(input as unknown as TriggerSource),
};

/** Errors in the steps, conditions and templates of an item whose input is valid by its schema. */
export function checkContent(kind: string, input: Fields): FlowError[] {
  return checks[kind]?.(input) ?? [];
}
