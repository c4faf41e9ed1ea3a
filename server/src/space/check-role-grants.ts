// Prevents granting or removing roles with permissions that the caller does not have.
import { Problem } from '@yagura/core/http/problem';
import { mayGrantRole } from '../identity/principal.ts';
import type { RequestContext } from '../resource/request-context.ts';

type RoleGranter = Pick<RequestContext, 'principal' | 't'>;

/**
 * Throws a 403 naming the first of these roles that the caller does not hold; privileged callers hold all.
 */
export function assertMayGrant(
  { principal, t }: RoleGranter,
  roles: readonly string[],
  field = 'roles',
): void {
  const role = roles.find((one) => !mayGrantRole(principal.claims, one));
  if (role === undefined) return;
  const reason = t('users.beyond', { role });
  throw new Problem('forbidden', { detail: reason, invalidParams: [{ name: field, reason }] });
}

/** Same for the difference between two sets of roles. */
export function assertMayChangeRoles(
  granter: RoleGranter,
  before: readonly string[],
  after: readonly string[],
): void {
  assertMayGrant(granter, [
    ...after.filter((role) => !before.includes(role)),
    ...before.filter((role) => !after.includes(role)),
  ]);
}
