// Menu entries that only some people see (spec section 6).
import { can, type Permissions } from './claims.ts';

const bulkVerbs = [
  'administrator',
  ...['import', 'export'].flatMap((way) => ['list', 'exec', 'get', 'file'].map((verb) => `${way}-${verb}`)),
  'list',
  'exec',
  'get',
  'file',
];

/** AlertHub's tools: any permission on bulk operations. */
export function seesBulkTools(grant: Permissions): boolean {
  return can(grant, ...bulkVerbs.map((verb) => `alerthub:bulk-operations:${verb}`));
}

/** Greac's key management. */
export function seesLogKeys(grant: Permissions): boolean {
  return can(grant, 'greac:log-keys:administrator', 'greac:log-keys:list');
}
