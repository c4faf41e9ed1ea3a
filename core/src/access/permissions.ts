// Permission checks: expands a caller's roles into permissions and tests them.
import type { RoleMap } from './role-map.ts';

export interface Claims {
  privileged: boolean;
  roles: readonly string[];
}

/** Permissions of a user: everything, or a list of permission strings with `*` segments. */
export type Permissions = 'everything' | readonly string[];

/** Expands the roles in the claims, including those inherited from groups, through a role map. */
export function permissionsOf(
  claims: Claims,
  roleMap: RoleMap,
  inheritedRoles: readonly string[] = [],
): Permissions {
  if (claims.privileged) return 'everything';
  const roles = new Set([...claims.roles, ...inheritedRoles]);
  return [...new Set([...roles].flatMap((role) => roleMap[role] ?? []))];
}

/** True if at least one of the wanted permissions is granted. Every user has `self:…`. */
export function can(permissions: Permissions, ...required: string[]): boolean {
  if (permissions === 'everything') return true;
  return required.some(
    (want) => want.startsWith('self:') || permissions.some((held) => patternCovers(held, want)),
  );
}

/** Roles that grant the permission, to explain a refusal. */
export function rolesGranting(permission: string, roleMap: RoleMap): string[] {
  return Object.entries(roleMap)
    .filter(([, held]) => held.some((pattern) => patternCovers(pattern, permission)))
    .map(([role]) => role);
}

function patternCovers(pattern: string, permission: string): boolean {
  const held = pattern.split(':');
  const want = permission.split(':');
  return held.length === want.length && held.every((segment, i) => segment === '*' || segment === want[i]);
}
