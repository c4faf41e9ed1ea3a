// What somebody can and cannot do, and why: every permission of the product against the roles that they hold.
import { can, permissionsOf, rolesGranting } from '../access/permissions.ts';
import type { RoleMap } from '../access/role-map.ts';
import { type AnyResource, permissionFor } from '../resource/define-resource.ts';
import type { HeldRole, RoleOrigin } from './user.ts';

export interface PermissionGroup {
  app: string;
  /** Name of the first resource that asks for it. */
  resource: string;
  permission: string;
  allowed: boolean;
  roles: string[];
}

/** Every permission that a verb or a call of these resources needs; those that everybody has are left out. */
export function permissionGroupsOf(
  resources: readonly AnyResource[],
  roleMap: RoleMap,
  who: { privileged: boolean; roles: readonly string[] },
): PermissionGroup[] {
  const permissions = permissionsOf(who, roleMap);
  const powers = new Map<string, PermissionGroup>();
  for (const resource of resources) {
    for (const action of [...resource.verbs, ...Object.keys(resource.calls)]) {
      const permission = permissionFor(resource, action);
      if (permission.startsWith('self:') || powers.has(permission)) continue;
      const allowed = can(permissions, permission);
      const giving = rolesGranting(permission, roleMap);
      const roles = allowed ? giving.filter((role) => who.roles.includes(role)) : giving;
      powers.set(permission, { app: resource.app, resource: resource.name, permission, allowed, roles });
    }
  }
  return [...powers.values()];
}

/** Each role that somebody holds, once, with all the places it comes from. */
export function heldRoles(
  own: readonly string[],
  groups: readonly { userGroupId: string; displayName: string; roles: readonly string[] }[],
): HeldRole[] {
  const held = new Map<string, RoleOrigin[]>();
  const add = (role: string, origin: RoleOrigin) => held.set(role, [...(held.get(role) ?? []), origin]);
  for (const role of own) add(role, { userGroupId: null, displayName: null });
  for (const { roles, userGroupId, displayName } of groups) {
    for (const role of roles) add(role, { userGroupId, displayName });
  }
  return [...held].map(([role, origins]) => ({ role, origins }));
}
