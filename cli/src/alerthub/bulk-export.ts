// `export`: requests an export of one or all kinds, waits until it is ready and downloads it.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BulkExport } from '@yagura/core/alerthub/bulk/bulk-job';
import { bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { Problem } from '@yagura/core/http/problem';
import type { Transport } from '@yagura/core/http/transport';
import { expandPath } from '@yagura/core/resource/path';
import { callStandalone, standaloneCalls } from '@yagura/core/standalone-calls';
import { parseChoice } from '../command-line/parse-choice.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { createFolder } from '../files/create-folder.ts';
import { saveOrPrint, saveStream, saving } from '../files/save-file.ts';
import { fetchBytes } from '../http/fetch-content.ts';
import { ServerOutage } from '../live/server-outage.ts';
import { openSession } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkKind } from './bulk-kinds.ts';

export interface ExportOptions {
  all?: string;
  format?: string;
  output?: string;
  bom?: boolean;
  raw?: boolean;
}

export const exportFormats: readonly string[] = ['csv', 'yaml'];
const pollDelaysMs = [50, 100, 200, 400, 800, 1000];

export async function exportFile(
  terminal: Terminal,
  kind: string | undefined,
  options: ExportOptions,
): Promise<void> {
  if ((kind === undefined) === (options.all === undefined)) throw new UsageError('cli.usage.export');
  const { format = 'csv' } = options;
  parseChoice('--format', format, exportFormats);
  if (format === 'yaml' && options.all === undefined)
    throw new UsageError('cli.usage.missing-flag', { flag: '--all' });
  if (kind !== undefined) checkKind(kind);
  if (format === 'yaml') {
    await (await import('../plan/write-files.ts')).writeFiles(terminal, options.all!);
    return;
  }
  const { transport } = openSession(terminal);
  if (options.all !== undefined) {
    const folder = options.all;
    await saving('--all', folder, () => createFolder(folder));
    for (const one of bulkKindNames) {
      const exportId = await createExport(terminal, transport, one, options);
      const content = exportContent(terminal, transport, one, exportId);
      await saveStream(terminal, join(folder, `${one}.csv`), content, { flag: '--all' });
    }
    return;
  }
  const exportId = await createExport(terminal, transport, kind!, options);
  await saveExport(terminal, transport, { kind: kind!, exportId, output: options.output });
}

/** Returns the id of the export when it is ready. */
async function createExport(
  terminal: Terminal,
  transport: Transport,
  kind: string,
  { bom = false, raw = false }: ExportOptions,
): Promise<string> {
  const { signal } = terminal;
  let job: BulkExport = await callStandalone(transport, 'bulk-export-create', {
    params: { kind },
    body: { bom, raw },
    signal,
  });
  const params = { kind, exportId: job.exportId };
  const outage = new ServerOutage(terminal.now);
  for (let attempt = 0; job.status === 'processing'; attempt++) {
    await pause(pollDelaysMs[Math.min(attempt, pollDelaysMs.length - 1)], undefined, { signal });
    job = (await outage.unlessAway(callStandalone(transport, 'bulk-export', { params, signal }))) ?? job;
  }
  if (job.status === 'failed') throw new Problem('internal');
  return job.exportId;
}

/** Downloads the file of a finished export to a file, or to stdout without a file or for `-`. */
export async function saveExport(
  terminal: Terminal,
  transport: Transport,
  { kind, exportId, output }: { kind: string; exportId: string; output: string | undefined },
): Promise<void> {
  const content = exportContent(terminal, transport, kind, exportId);
  await saveOrPrint(terminal, output, content, { flag: '--output' });
}

function exportContent(
  terminal: Terminal,
  transport: Transport,
  kind: string,
  exportId: string,
): AsyncIterable<Uint8Array> {
  const { path, replyType } = standaloneCalls['bulk-export-file'];
  return fetchBytes(terminal, transport, {
    path: expandPath(path, { kind, exportId }),
    accept: `${replyType}, application/problem+json`,
    mediaType: replyType,
  });
}
