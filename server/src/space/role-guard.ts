// Nobody gives, or takes away, a role whose powers they do not have themselves.
import { Problem } from '@yagura/core/http/problem';
import { mayGive } from '../identity/principal.ts';
import type { RequestContext } from '../resource/context.ts';

type Asking = Pick<RequestContext, 'principal' | 't'>;

/** Throws a 403 that names the first of these roles which the caller does not hold; the privileged hold all. */
export function refuseBeyond({ principal, t }: Asking, roles: readonly string[], field = 'roles'): void {
  const role = roles.find((one) => !mayGive(principal.claims, one));
  if (role === undefined) return;
  const reason = t('users.beyond', { role });
  throw new Problem('forbidden', { detail: reason, invalidParams: [{ name: field, reason }] });
}

/** The same for what differs between two sets of roles. */
export function refuseChangeBeyond(
  asking: Asking,
  before: readonly string[],
  after: readonly string[],
): void {
  refuseBeyond(asking, [
    ...after.filter((role) => !before.includes(role)),
    ...before.filter((role) => !after.includes(role)),
  ]);
}
