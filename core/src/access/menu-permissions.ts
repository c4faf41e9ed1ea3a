// Menu entries that only some people see (spec section 6).
import { can, type Permissions } from './permissions.ts';

const bulkOperationVerbs = [
  'administrator',
  ...['import', 'export'].flatMap((way) => ['list', 'exec', 'get', 'file'].map((verb) => `${way}-${verb}`)),
  'list',
  'exec',
  'get',
  'file',
];

/** AlertHub's tools: any permission on bulk operations. */
export function canUseBulkTools(permissions: Permissions): boolean {
  return can(permissions, ...bulkOperationVerbs.map((verb) => `alerthub:bulk-operations:${verb}`));
}

/** Greac's key management. */
export function canManageLogKeys(permissions: Permissions): boolean {
  return can(permissions, 'greac:log-keys:administrator', 'greac:log-keys:list');
}
