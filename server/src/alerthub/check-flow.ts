// Refuses rules, triggers and actions that could not run, naming each field in the caller's language.
import type { FlowError } from '@yagura/core/alerthub/decide/flow-error';
import { formatReason } from '@yagura/core/alerthub/decide/reason';
import { Problem } from '@yagura/core/http/problem';
import type { RequestContext } from '../resource/context.ts';

export function refuseBroken(context: Pick<RequestContext, 't'>, errors: readonly FlowError[]): void {
  if (errors.length === 0) return;
  throw new Problem('invalid', {
    invalidParams: errors.map((error) => ({
      name: error.path,
      reason: formatReason(error.reason, context.t),
    })),
  });
}
