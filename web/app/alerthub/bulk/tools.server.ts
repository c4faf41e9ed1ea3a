// Helpers shared by the import and export pages: resource kind, permissions, breadcrumbs and table state.

import { canUseBulkTools } from '@yagura/core/access/menu-permissions';
import { can } from '@yagura/core/access/permissions';
import { type BulkKindName, bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { Problem } from '@yagura/core/http/problem';
import type { Crumb } from '../../shell/navigation/crumb.ts';
import type { Api } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { readTableState } from '../../ui/table/table-state.ts';

export interface BulkPermissions {
  listImports: boolean;
  upload: boolean;
  execute: boolean;
  listExports: boolean;
  export: boolean;
  download: boolean;
}

/**
 * Returns the user's permissions for bulk operations. Throws a 403 if the tools are hidden from the user.
 */
export async function bulkPermissions(api: Api): Promise<BulkPermissions> {
  const { permissions } = await getCurrentUser(api);
  if (!canUseBulkTools(permissions)) throw new Problem('forbidden');
  const isAllowed = (verb: string) => can(permissions, `alerthub:bulk-operations:${verb}`);
  return {
    listImports: isAllowed('import-list'),
    upload: isAllowed('import-file'),
    execute: isAllowed('import-exec'),
    listExports: isAllowed('export-list'),
    export: isAllowed('export-exec'),
    download: isAllowed('export-file'),
  };
}

/** Returns the kind in the path; throws a 404 if it is unknown. */
export function bulkKindOf(params: Readonly<Record<string, string | undefined>>): BulkKindName {
  const kind = bulkKindNames.find((name) => name === params.kind);
  if (!kind) throw new Problem('not-found');
  return kind;
}

const toolsCrumbs: Crumb[] = [
  { to: '/apps/alerthub', labelKey: 'shell.alerthub' },
  { to: '/apps/alerthub/tools', labelKey: 'page.tools' },
];

/** Returns the breadcrumbs of a kind's history, or of one job, which is labeled with its file name. */
export function bulkCrumbs(
  kind?: BulkKindName,
  direction?: 'imports' | 'exports',
  fileName?: string,
): Crumb[] {
  if (!kind) return toolsCrumbs;
  const histories = `/apps/alerthub/tools/${kind}/histories`;
  return [
    ...toolsCrumbs,
    { to: histories, labelKey: `bulk.kind.${kind}` as const },
    ...(direction ? [{ to: `${histories}/${direction}`, labelKey: `bulk.${direction}` as const }] : []),
    ...(fileName === undefined ? [] : [{ text: fileName }]),
  ];
}

/** Returns the state of a table with fixed columns and no sorting, and the API query for its page. */
export function bulkTable(request: Request, columns: string[]) {
  const state = readTableState(new URL(request.url).searchParams, undefined, { columns, sortable: [] });
  return { state, query: { limit: state.size, offset: (state.page - 1) * state.size } };
}
