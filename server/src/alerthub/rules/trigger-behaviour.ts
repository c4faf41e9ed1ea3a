// Triggers: rejects flows that could not run.
import { checkContent } from '@yagura/core/alerthub/engine/evaluation/check-content';
import { trigger } from '@yagura/core/alerthub/trigger';
import type { Behaviour } from '../../resource/behaviour.ts';
import { rejectFlowErrors } from './reject-flow-errors.ts';

export const triggerBehaviour: Behaviour<typeof trigger> = {
  resource: trigger,
  body(context, input) {
    rejectFlowErrors(context, checkContent(trigger.name, input));
    return input;
  },
};
