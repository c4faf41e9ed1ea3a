// Triggers: rejects flows that could not run.
import { checkTrigger, type TriggerSource } from '@yagura/core/alerthub/engine/evaluation/evaluate-trigger';
import { trigger } from '@yagura/core/alerthub/trigger';
import type { Behaviour } from '../../resource/behaviour.ts';
import { rejectFlowErrors } from './reject-flow-errors.ts';

export const triggerBehaviour: Behaviour<typeof trigger> = {
  resource: trigger,
  body(context, input) {
    rejectFlowErrors(context, checkTrigger(input as unknown as TriggerSource));
    return input;
  },
};
