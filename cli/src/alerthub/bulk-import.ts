// `import`: plans a file, shows what it would do, and carries it out when asked to.
import { basename } from 'node:path';
import { type BulkImportDetail, bulkImportDetail } from '@yagura/core/alerthub/bulk/bulk-job';
import { callFixed } from '@yagura/core/http/fixed-calls';
import { Problem } from '@yagura/core/http/problem';
import { send, type Transport } from '@yagura/core/http/transport';
import { shapeFacts } from '@yagura/core/resource/field';
import { dataForm } from '../resource/data-form.ts';
import { writeItem } from '../resource/output.ts';
import { openSession } from '../signin/session.ts';
import { cleanLine } from '../term/clean.ts';
import type { DataOptions } from '../term/data-options.ts';
import { readBytes } from '../term/read-source.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { checkKind } from './bulk-kinds.ts';

export interface ImportOptions extends DataOptions {
  exec?: boolean;
}

/** Planning and executing a large file takes its time; milliseconds. */
const patience = 15 * 60_000;
const largest = 200 * 1024 * 1024;

export async function importFile(
  terminal: Terminal,
  kind: string,
  source: string,
  options: ImportOptions,
): Promise<void> {
  const { t } = terminal;
  checkKind(kind);
  const fields = shapeFacts(bulkImportDetail);
  const columns = Object.keys(fields);
  const form = dataForm(options, columns);
  const bytes = await readBytes(source, terminal, 'FILE', largest);
  const transport: Transport = { ...openSession(terminal).transport, timeout: patience };
  say(terminal, t('cli.import.planning'));
  let detail = await plan(transport, kind, source, bytes, terminal.signal);
  if (options.exec && detail.status === 'planned') {
    say(terminal, t('cli.import.executing'));
    const place = { kind, importId: detail.importId };
    await callFixed(transport, 'bulk-import-exec', { place, body: {}, signal: terminal.signal });
    detail = await callFixed(transport, 'bulk-import', { place, signal: terminal.signal });
  }
  if (form) await writeItem(terminal, { ...detail }, { fields, columns }, form, transport);
  else terminal.out.write(`${planText(terminal, detail)}\n`);
  if (detail.status === 'failed') throw new Problem('invalid', { detail: detail.reason ?? undefined });
  if (detail.status === 'planned') say(terminal, t('cli.import.planned'));
  else say(terminal, terminal.err.paint('success', t('cli.import.done')));
}

async function plan(
  transport: Transport,
  kind: string,
  source: string,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<BulkImportDetail> {
  const form = new FormData();
  const name = source === '-' ? `${kind}.csv` : basename(source);
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'text/csv' }), name);
  const path = `/api/apps/alerthub/bulk-operations/${kind}/imports`;
  const { data } = await send<{ importId: string }>(transport, { method: 'POST', path, body: form, signal });
  return callFixed(transport, 'bulk-import', { place: { kind, importId: data.importId }, signal });
}

/** The numbers of the plan, and each error with its place. */
function planText({ t, out }: Terminal, detail: BulkImportDetail): string {
  const { creates, updates, deletes, unchanged, errorCount, errors } = detail;
  const lines = [
    `${t('label.importId')}: ${detail.importId}`,
    t('cli.import.counts', { creates, updates, deletes, unchanged, errors: errorCount }),
    ...errors.map(({ line, column, reason }) => {
      const place = t('cli.import.line', { line }) + (column ? ` ${cleanLine(column)}` : '');
      return `${out.paint('danger', place)}: ${cleanLine(reason)}`;
    }),
  ];
  if (errorCount > errors.length)
    lines.push(t('cli.import.more-errors', { count: errorCount - errors.length }));
  return lines.join('\n');
}
