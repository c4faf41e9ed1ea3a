// Rules: rejects flows that could not run.

import { checkContent } from '@yagura/core/alerthub/engine/evaluation/check-content';
import { rule } from '@yagura/core/alerthub/rule';
import type { Behaviour } from '../../resource/behaviour.ts';
import { rejectFlowErrors } from './reject-flow-errors.ts';
import type { RuleTestServices } from './rule-test.ts';
import { testRule } from './rule-test.ts';

export const ruleBehaviour: Behaviour<typeof rule, RuleTestServices> = {
  resource: rule,
  body(context, input) {
    rejectFlowErrors(context, checkContent(rule.name, input));
    return input;
  },
  calls: { test: testRule },
};
