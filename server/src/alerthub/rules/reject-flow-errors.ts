// Rejects rules, triggers and actions that could not run, naming each field in the caller's language.

import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import type { FlowError } from '@yagura/core/alerthub/engine/errors/flow-error';
import { Problem } from '@yagura/core/http/problem';
import type { RequestContext } from '../../resource/request-context.ts';

export function rejectFlowErrors(context: Pick<RequestContext, 't'>, errors: readonly FlowError[]): void {
  if (errors.length === 0) return;
  throw new Problem('invalid', {
    invalidParams: errors.map((error) => ({
      name: error.path,
      reason: formatReason(error.reason, context.t),
    })),
  });
}
