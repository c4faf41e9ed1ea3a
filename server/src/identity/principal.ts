// Who is calling, and with what powers.
import { type Claims, can, permissionsOf } from '@yagura/core/access/permissions';
import { type RoleMap, roleMap } from '@yagura/core/access/role-map';
import { Problem } from '@yagura/core/http/problem';

/** The caller of a request. `claims` are the person's as they stand now, narrowed when an API token was narrowed. */
export interface Principal {
  spaceId: string;
  userId: string;
  kind: 'person' | 'api-token';
  displayName: string;
  email: string;
  claims: Claims;
  /** The sign-in whose access token was shown; only of kind 'person'. */
  grantId?: string | undefined;
  /** The API token that was shown; only of kind 'api-token'. */
  apiTokenId?: string;
  /** True when the API token carries fewer powers than its owner: roles inherited from groups must not be added. */
  narrowed: boolean;
}

/**
 * The claims of an API token: its owner's when `roles` is null, else those of its roles that the owner has the
 * powers of at this moment. A narrowed token is never privileged.
 */
export function narrowClaims(owner: Claims, roles: readonly string[] | null): Claims {
  if (roles === null) return owner;
  return { privileged: false, roles: roles.filter((role) => mayGrantRole(owner, role)) };
}

/** True when the holder of these claims has every power of the role. */
export function mayGrantRole(owner: Claims, role: string): boolean {
  if (owner.privileged || owner.roles.includes(role)) return true;
  const permissions = (roleMap as RoleMap)[role];
  if (!permissions) return false;
  const grant = permissionsOf(owner, roleMap);
  return permissions.every((permission) => can(grant, permission));
}

/** The one answer to every credential that is missing, unknown, expired or revoked; it does not tell which. */
export function signInRequired(): Problem {
  return new Problem('sign-in-required');
}
