// Protects privileged users and the caller from planned changes.
import { Problem } from '@yagura/core/http/problem';
import { getOrCreate } from '@yagura/core/plan/get-or-create';
import type { PlanRequest } from '@yagura/core/plan/make-plan';
import { referenceKey } from '@yagura/core/plan/plan-deletions';
import { type PlanItem, planItemKey } from '@yagura/core/plan/plan-item';
import { createClient } from '@yagura/core/resource/client';
import { resourceNoun } from '@yagura/core/resource/resource-noun';
import { profile } from '@yagura/core/space/profile';
import { user } from '@yagura/core/space/user';
import type { Session } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { OutsideUser, SpaceState } from './space-state.ts';

/**
 * Returns the caller's user id when the files contain users, or the kind without any; undefined for an API token, where only the
 * server can check.
 */
export async function findCallerId(
  { signal }: Terminal,
  { transport }: Session,
  kinds: ReadonlySet<string>,
): Promise<string | undefined> {
  if (!kinds.has(user.name)) return undefined;
  try {
    return (await createClient(profile, transport).show(undefined, {}, signal)).userId;
  } catch (error) {
    if (error instanceof Problem && error.kind === 'forbidden') return undefined;
    throw error;
  }
}

/**
 * Privileged users are never deleted, nor what items that files cannot have refer to, and callers cannot delete or
 * disable themselves.
 */
export function createPlanGuards(
  { t, language }: Terminal,
  { items }: SpaceState,
  caller: string | undefined,
  outsideUsers: readonly OutsideUser[] = [],
): Pick<PlanRequest, 'keepReason' | 'rejectStep'> {
  const existing = new Map(items.map((item) => [planItemKey(item), item]));
  const labels = new Map<string, string[]>();
  for (const { resource, name, references } of outsideUsers) {
    const label = `${resourceNoun(resource.noun, language)} ${JSON.stringify(name)}`;
    for (const reference of references)
      getOrCreate(labels, referenceKey(reference.resource, reference.id), () => []).push(label);
  }
  const userIdOf = (item: Omit<PlanItem, 'fields'>) =>
    item.kind === user.name ? existing.get(planItemKey(item))?.id : undefined;
  return {
    keepReason(item) {
      const found = existing.get(planItemKey(item));
      if (!found) return undefined;
      if (caller !== undefined && userIdOf(item) === caller) return t('plan.kept-self');
      if (found.privileged) return t('plan.kept-privileged');
      const users = labels.get(referenceKey(found.kind, found.id));
      return users && t('problem.in-use', { users: users.join(t('problem.comma')) });
    },
    rejectStep(step) {
      const self = caller !== undefined && userIdOf(step) === caller;
      return self && step.after?.disabled === true
        ? { path: 'disabled', reason: t('users.not-yourself') }
        : undefined;
    },
  };
}
