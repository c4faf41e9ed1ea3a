// The commands of the terminal for files that go in and out: what the tools of AlertHub show, as words.
import { type ListView, pageFlags } from '../../resource/command-line.ts';
import type { PlanOperation } from './bulk-job.ts';
import type { BulkKindName } from './bulk-kind-names.ts';

/** Imports or exports: those of a kind, or the imports under way of every kind. */
export function historyCommand(
  direction: 'imports' | 'exports',
  kind?: BulkKindName,
  view: Pick<ListView, 'page' | 'size'> = {},
): string[] {
  return ['yagura', 'alerthub', direction, 'list', ...(kind ? [kind] : []), ...pageFlags(view)];
}

/** One import or export. */
export function jobCommand(direction: 'imports' | 'exports', kind: BulkKindName, id: string): string[] {
  return ['yagura', 'alerthub', direction, 'show', kind, id];
}

/** The rows of a plan, those of one operation only, or its errors. */
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

/** Takes a file in, as a plan to look at. A name that begins with a hyphen would be read as a flag. */
export function importCommand(kind: BulkKindName, fileName: string): string[] {
  return ['yagura', 'import', kind, fileName.startsWith('-') ? `./${fileName}` : fileName];
}

/** Writes a kind to a file. */
export function exportCommand(kind: BulkKindName, { bom }: { bom: boolean }): string[] {
  return ['yagura', 'export', kind, '--output', `${kind}.csv`, ...(bom ? ['--bom'] : [])];
}
