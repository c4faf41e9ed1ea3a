// Whether the user who sent an invitation may still give what it gives: they may have lost roles since.
import { type Claims, can, permissionsOf } from '@yagura/core/access/permissions';
import { roleMap } from '@yagura/core/access/role-map';
import { mayGrantRole } from '../principal.ts';
import { allRoles, inheritedRoles } from './inherited-roles.ts';

/** The inviter of an invitation as selected by `inviterColumns`; `inviterActive` is null without one. */
export interface InviterRow {
  inviterActive: boolean | null;
  inviterPrivileged: boolean | null;
  inviterRoles: string[] | null;
  inviterInherited: string[];
}

/** Columns of an inviter; `person` is the alias of their row, which may be absent. */
export function inviterColumns(person: string): string {
  return `not ${person}.disabled as "inviterActive", ${person}.privileged as "inviterPrivileged",
    ${person}.roles as "inviterRoles", ${inheritedRoles(person)} as "inviterInherited"`;
}

/** True when the inviter may invite now, and has every permission of these roles. */
export function mayStillInvite(inviter: InviterRow, roles: readonly string[]): boolean {
  if (inviter.inviterActive !== true) return false;
  const claims: Claims = {
    privileged: inviter.inviterPrivileged === true,
    roles: allRoles(inviter.inviterRoles ?? [], inviter.inviterInherited),
  };
  return (
    can(permissionsOf(claims, roleMap), 'space:invitations:create') &&
    roles.every((role) => mayGrantRole(claims, role))
  );
}
