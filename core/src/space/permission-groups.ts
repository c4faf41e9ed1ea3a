// Explains a user's permissions: which of all permissions are granted, and by which roles.
import { can, permissionsOf, rolesGranting } from '../access/permissions.ts';
import type { RoleMap } from '../access/role-map.ts';
import { type AnyResource, permissionFor } from '../resource/define-resource.ts';
import type { HeldRole, RoleOrigin } from './user.ts';

export interface PermissionGroup {
  app: string;
  /** Name of the first resource that requires it. */
  resource: string;
  permission: string;
  allowed: boolean;
  roles: string[];
}

/** All permissions required by the verbs and calls of these resources, except those that every user has. */
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

/** Distinct roles of a user, each with all its origins. */
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
