// CLI commands equivalent to the AlertHub bulk import and export screens.
import { type ListView, pageFlags } from '../../resource/command-line.ts';
import type { PlanOperation } from './bulk-job.ts';
import type { BulkKindName } from './bulk-kind-names.ts';

/** Lists the imports or exports of a kind, or the imports in progress of all kinds. */
export function historyCommand(
  direction: 'imports' | 'exports',
  kind?: BulkKindName,
  view: Pick<ListView, 'page' | 'size'> = {},
): string[] {
  return ['yagura', 'alerthub', direction, 'list', ...(kind ? [kind] : []), ...pageFlags(view)];
}

/** Shows one import or export. */
export function jobCommand(direction: 'imports' | 'exports', kind: BulkKindName, id: string): string[] {
  return ['yagura', 'alerthub', direction, 'show', kind, id];
}

/** Lists the rows of a plan, optionally of one operation only, or its errors. */
export function planCommand(
  kind: BulkKindName,
  importId: string,
  shown: PlanOperation | 'all' | 'errors',
  view: Pick<ListView, 'page' | 'size'>,
): string[] {
  const what = shown === 'errors' ? 'errors' : 'rows';
  const only = shown === 'all' || shown === 'errors' ? [] : ['--operation', shown];
  return ['yagura', 'alerthub', 'imports', what, kind, importId, ...only, ...pageFlags(view)];
}

/**
 * Uploads a file and plans its import. A file name that starts with a hyphen gets `./`, because it would be
 * read as a flag.
 */
export function importCommand(kind: BulkKindName, fileName: string): string[] {
  return ['yagura', 'import', kind, fileName.startsWith('-') ? `./${fileName}` : fileName];
}

/** Exports a kind to a file. */
export function exportCommand(kind: BulkKindName, { bom, raw }: { bom: boolean; raw: boolean }): string[] {
  const flags = [...(bom ? ['--bom'] : []), ...(raw ? ['--raw'] : [])];
  return ['yagura', 'export', kind, '--output', `${kind}.csv`, ...flags];
}
