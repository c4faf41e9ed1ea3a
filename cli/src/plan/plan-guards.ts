// What a plan leaves to hands: privileged people, and whoever makes the plan.
import { Problem } from '@yagura/core/http/problem';
import type { PlanRequest } from '@yagura/core/plan/make-plan';
import { type PlanItem, planItemKey } from '@yagura/core/plan/plan-item';
import { createClient } from '@yagura/core/resource/client';
import { profile } from '@yagura/core/space/profile';
import { user } from '@yagura/core/space/user';
import type { Session } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SpaceState } from './space-state.ts';

/** The id of whoever plans, where users are planned; undefined for an API token, of which the server knows more. */
export async function findCallerId(
  { signal }: Terminal,
  { transport }: Session,
  items: readonly PlanItem[],
): Promise<string | undefined> {
  if (!items.some(({ kind }) => kind === user.name)) return undefined;
  try {
    return (await createClient(profile, transport).show(undefined, {}, signal)).userId;
  } catch (error) {
    if (error instanceof Problem && error.kind === 'forbidden') return undefined;
    throw error;
  }
}

/** Nobody privileged is deleted, and nobody deletes or disables themselves. */
export function createPlanGuards(
  { t }: Terminal,
  { items }: SpaceState,
  caller: string | undefined,
): Pick<PlanRequest, 'keepReason' | 'rejectStep'> {
  const users = new Map(
    items.filter(({ kind }) => kind === user.name).map((item) => [planItemKey(item), item]),
  );
  return {
    keepReason(item) {
      const found = users.get(planItemKey(item));
      if (!found) return undefined;
      if (found.id === caller) return t('plan.kept-self');
      return found.privileged ? t('plan.kept-privileged') : undefined;
    },
    rejectStep(step) {
      const self = caller !== undefined && users.get(planItemKey(step))?.id === caller;
      return self && step.after?.disabled === true
        ? { path: 'disabled', reason: t('users.not-yourself') }
        : undefined;
    },
  };
}
