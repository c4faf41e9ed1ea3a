// Rules: rejects flows that could not run.

import { checkRule, type RuleBody } from '@yagura/core/alerthub/engine/evaluation/evaluate-rule';
import { rule } from '@yagura/core/alerthub/rule';
import type { Behaviour } from '../../resource/behaviour.ts';
import { rejectFlowErrors } from './reject-flow-errors.ts';
import type { RuleTestServices } from './rule-test.ts';
import { testRule } from './rule-test.ts';

export const ruleBehaviour: Behaviour<typeof rule, RuleTestServices> = {
  resource: rule,
  body(context, input) {
    rejectFlowErrors(context, checkRule(input as unknown as RuleBody));
    return input;
  },
  calls: { test: testRule },
};
