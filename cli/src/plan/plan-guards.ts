// Protects privileged users and the caller from planned changes.
import { Problem } from '@yagura/core/http/problem';
import type { PlanRequest } from '@yagura/core/plan/make-plan';
import { type PlanItem, planItemKey } from '@yagura/core/plan/plan-item';
import { createClient } from '@yagura/core/resource/client';
import { profile } from '@yagura/core/space/profile';
import { user } from '@yagura/core/space/user';
import type { Session } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SpaceState } from './space-state.ts';

/**
 * Returns the caller's user id when the plan contains users; undefined for an API token, where only the
 * server can check.
 */
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

/** Privileged users are never deleted, and callers cannot delete or disable themselves. */
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
