// Visibility of menu entries that depend on permissions.
import { can, type Permissions } from './permissions.ts';

const bulkOperationVerbs = [
  'administrator',
  ...['import', 'export'].flatMap((way) => ['list', 'exec', 'get', 'file'].map((verb) => `${way}-${verb}`)),
  'list',
  'exec',
  'get',
  'file',
];

/** AlertHub's bulk tools: requires any permission on bulk operations. */
export function canUseBulkTools(permissions: Permissions): boolean {
  return can(permissions, ...bulkOperationVerbs.map((verb) => `alerthub:bulk-operations:${verb}`));
}

/** Greac's log key management. */
export function canManageLogKeys(permissions: Permissions): boolean {
  return can(permissions, 'greac:log-keys:administrator', 'greac:log-keys:list');
}
