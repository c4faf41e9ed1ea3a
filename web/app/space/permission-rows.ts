// Groups permissions into rows: those of one resource with the same state and roles share a row.
import type { PermissionGroup } from '@yagura/core/space/permission-groups';

export interface PermissionRow {
  app: string;
  resource: string;
  /** Common prefix of the row's permissions, e.g. `alerthub:scopes`. */
  prefix: string;
  /** Suffixes of the permissions, e.g. `list`. */
  actions: string[];
  allowed: boolean;
  roles: string[];
}

/** Returns the rows in order of their prefix, allowed ones first. */
export function toPermissionRows(powers: readonly PermissionGroup[]): PermissionRow[] {
  const rows = new Map<string, PermissionRow>();
  for (const { app, resource, permission, allowed, roles } of powers) {
    const cut = permission.lastIndexOf(':');
    const prefix = permission.slice(0, cut);
    const action = permission.slice(cut + 1);
    const key = JSON.stringify([app, prefix, allowed, roles]);
    const row = rows.get(key);
    if (row) row.actions.push(action);
    else rows.set(key, { app, resource, prefix, actions: [action], allowed, roles: [...roles] });
  }
  const prefixes = [...new Set([...rows.values()].map(({ prefix }) => prefix))];
  const index = (row: PermissionRow) => prefixes.indexOf(row.prefix) * 2 + (row.allowed ? 0 : 1);
  return [...rows.values()].sort((left, right) => index(left) - index(right));
}
