// The authenticated caller and their privileges.
import { type Claims, can, permissionsOf } from '@yagura/core/access/permissions';
import { type RoleMap, roleMap } from '@yagura/core/access/role-map';
import { Problem } from '@yagura/core/http/problem';

/** The caller of a request. `claims` are the user's current ones, narrowed for a narrowed API token. */
export interface Principal {
  spaceId: string;
  userId: string;
  kind: 'person' | 'api-token';
  displayName: string;
  email: string;
  claims: Claims;
  /** Grant of the access token used; only for kind 'person'. */
  grantId?: string | undefined;
  /** The user's token epoch when the access token was issued; only for kind 'person'. */
  tokenEpoch?: number | undefined;
  /** The API token used; only for kind 'api-token'. */
  apiTokenId?: string;
  /** Its current name. */
  apiTokenName?: string;
  /** True when the API token has fewer permissions than its owner: inherited roles must not be added. */
  narrowed: boolean;
}

/** What identifies a caller after their request, when their credential is no longer at hand. */
export type CallerReference = Pick<Principal, 'userId' | 'grantId' | 'tokenEpoch' | 'apiTokenId'>;

/**
 * The claims of an API token: its owner's when `roles` is null, otherwise those of its roles that the owner
 * currently holds. A narrowed token is never privileged.
 */
export function narrowClaims(owner: Claims, roles: readonly string[] | null): Claims {
  if (roles === null) return owner;
  return { privileged: false, roles: roles.filter((role) => mayGrantRole(owner, role)) };
}

/** True when the holder of these claims has every permission of the role. */
export function mayGrantRole(owner: Claims, role: string): boolean {
  if (owner.privileged || owner.roles.includes(role)) return true;
  const permissions = (roleMap as RoleMap)[role];
  if (!permissions) return false;
  const grant = permissionsOf(owner, roleMap);
  return permissions.every((permission) => can(grant, permission));
}

/** The reply to missing, unknown and revoked credentials; it does not reveal which. */
export function signInRequired(): Problem {
  return new Problem('sign-in-required');
}
