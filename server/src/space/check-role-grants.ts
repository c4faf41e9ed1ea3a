// Nobody gives, or takes away, a role whose powers they do not have themselves.
import { Problem } from '@yagura/core/http/problem';
import { mayGrantRole } from '../identity/principal.ts';
import type { RequestContext } from '../resource/request-context.ts';

type RoleGranter = Pick<RequestContext, 'principal' | 't'>;

/** Throws a 403 that names the first of these roles which the caller does not hold; the privileged hold all. */
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

/** The same for what differs between two sets of roles. */
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
