// Who is asking, and the one question asked of them: may they?
import type { RoleMap } from './role-map.ts';

export interface Claims {
  privileged: boolean;
  roles: readonly string[];
}

/** What a person may do: everything, or a list of permission strings with `*` segments. */
export type Permissions = 'everything' | readonly string[];

/** Expands claims and the roles inherited from groups through a role map. */
export function permissionsOf(
  claims: Claims,
  roleMap: RoleMap,
  inheritedRoles: readonly string[] = [],
): Permissions {
  if (claims.privileged) return 'everything';
  const roles = new Set([...claims.roles, ...inheritedRoles]);
  return [...new Set([...roles].flatMap((role) => roleMap[role] ?? []))];
}

/** Passes if any of the wanted permissions is held. `self:…` is everybody's. */
export function can(permissions: Permissions, ...required: string[]): boolean {
  if (permissions === 'everything') return true;
  return required.some(
    (want) => want.startsWith('self:') || permissions.some((held) => patternCovers(held, want)),
  );
}

/** Roles of the map that would give the permission: the answer to "why can't I?". */
export function rolesGranting(permission: string, roleMap: RoleMap): string[] {
  return Object.entries(roleMap)
    .filter(([, held]) => held.some((pattern) => patternCovers(pattern, permission)))
    .map(([role]) => role);
}

function patternCovers(pattern: string, permission: string): boolean {
  if (pattern === permission) return true;
  if (!pattern.includes('*')) return false;
  const held = pattern.split(':');
  const want = permission.split(':');
  return held.length === want.length && held.every((segment, i) => segment === '*' || segment === want[i]);
}
