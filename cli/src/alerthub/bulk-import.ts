// `import`: uploads a file, shows its plan, executes it on request and waits for completion.
import { basename } from 'node:path';
import type { BulkImport, BulkImportDetail } from '@yagura/core/alerthub/bulk/bulk-job';
import { Problem } from '@yagura/core/http/problem';
import { send, type Transport } from '@yagura/core/http/transport';
import { fieldChanges } from '@yagura/core/plan/field-changes';
import type { Fields } from '@yagura/core/plan/plan-item';
import { callStandalone } from '@yagura/core/standalone-calls';
import type { DataOptions } from '../command-line/data-options.ts';
import { readFileOrStdinBytes } from '../command-line/read-file-or-stdin.ts';
import { StillRunningError } from '../command-line/report-error.ts';
import { isConnectionLost } from '../live/server-outage.ts';
import { watchForChanges } from '../live/watch-for-changes.ts';
import { changeLines } from '../plan/format-plan.ts';
import { parseInteger } from '../resource/list.ts';
import { openSession, type Session } from '../signin/session.ts';
import { cleanLine } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { checkKind } from './bulk-kinds.ts';
import { whileExecuting, whilePlanning } from './import-progress.ts';
import { formatImportPlan, importFormat, writeImport } from './write-import.ts';

export interface ExecOptions extends DataOptions {
  wait?: boolean;
  timeout?: string;
}

export interface ImportOptions extends ExecOptions {
  exec?: boolean;
}

interface ImportParams extends Record<string, string> {
  kind: string;
  importId: string;
}

/** Timeout in milliseconds; planning and executing a large file is slow. */
const uploadTimeoutMs = 15 * 60_000;
/** Changes printed of each operation; `imports rows` lists all of them. */
const maxPrinted = 50;
const maxFileBytes = 200 * 1024 * 1024;
/** Poll interval in milliseconds when live changes are not available. */
const pollIntervalMs = 1000;

export async function importFile(
  terminal: Terminal,
  kind: string,
  source: string,
  options: ImportOptions,
): Promise<void> {
  checkKind(kind);
  const format = importFormat(options);
  const timeout = timeoutMsOf(options);
  const bytes = await readFileOrStdinBytes(source, terminal, 'FILE', maxFileBytes);
  const session = longTimeoutSession(terminal);
  let detail = await planImport(terminal, session.transport, kind, source, bytes);
  if (detail.status === 'planned' && !format) await printChanges(terminal, session.transport, detail);
  if (detail.status === 'planned' && (options.exec || options.wait)) {
    // A user who waits for someone else's approval needs to see the plan.
    if (!options.exec && !format) printMessage(terminal, formatImportPlan(terminal, detail));
    const pathParams = { kind, importId: detail.importId };
    detail = await executeAndWait(terminal, session, pathParams, options, timeout);
  }
  await reportResult(terminal, session, detail, format);
}

/** `imports exec`: executes a plan that was created earlier, here or in the console. */
export async function executeImport(
  terminal: Terminal,
  kind: string,
  importId: string,
  options: ExecOptions,
): Promise<void> {
  checkKind(kind);
  const format = importFormat(options);
  const timeout = timeoutMsOf(options);
  const session = longTimeoutSession(terminal);
  const detail = await executeAndWait(
    terminal,
    session,
    { kind, importId },
    { ...options, exec: true },
    timeout,
  );
  await reportResult(terminal, session, detail, format);
}

function timeoutMsOf({ timeout }: ExecOptions): number {
  return (parseInteger(timeout, '--timeout', 1, 86_400) ?? uploadTimeoutMs / 1000) * 1000;
}

function longTimeoutSession(terminal: Terminal): Session {
  const session = openSession(terminal);
  return { ...session, transport: { ...session.transport, timeoutMs: uploadTimeoutMs } };
}

async function planImport(
  terminal: Terminal,
  transport: Transport,
  kind: string,
  source: string,
  bytes: Buffer,
): Promise<BulkImportDetail> {
  const { signal } = terminal;
  const form = new FormData();
  const name = source === '-' ? `${kind}.csv` : basename(source);
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'text/csv' }), name);
  const path = `/api/apps/alerthub/bulk-operations/${kind}/imports`;
  const { data } = await whilePlanning(
    terminal,
    transport,
    { kind, bytes },
    send<BulkImport>(transport, { method: 'POST', path, body: form, signal }),
  );
  return callStandalone(transport, 'bulk-import', { params: { kind, importId: data.importId }, signal });
}

/** Prints the first changes of a plan, before anything is changed. */
async function printChanges(
  terminal: Terminal,
  transport: Transport,
  { kind, importId, creates, updates, deletes }: BulkImportDetail,
): Promise<void> {
  const counts = { create: creates, update: updates, delete: deletes };
  for (const operation of ['create', 'update', 'delete'] as const) {
    if (counts[operation] === 0) continue;
    const { items } = await callStandalone(transport, 'bulk-import-rows', {
      params: { kind, importId },
      query: { operation, limit: maxPrinted },
      signal: terminal.signal,
    });
    for (const { line, name, before, after } of items) {
      const label = `${cleanLine(name)} (${terminal.t('cli.import.line', { line })})`;
      const changes = fieldChanges((before ?? {}) as Fields, (after ?? {}) as Fields);
      for (const text of changeLines(terminal.err, operation, label, changes)) printMessage(terminal, text);
    }
    const left = counts[operation] - items.length;
    if (left > 0) printMessage(terminal, terminal.t('cli.import.more-changes', { count: left }));
  }
}

/** Executes the import if requested; otherwise waits until it has finished. */
async function executeAndWait(
  terminal: Terminal,
  session: Session,
  pathParams: ImportParams,
  options: ImportOptions,
  timeout: number,
): Promise<BulkImportDetail> {
  const { signal } = terminal;
  const { transport } = session;
  if (options.exec) {
    const execution = callStandalone(transport, 'bulk-import-exec', { params: pathParams, body: {}, signal });
    await whileExecuting(terminal, execution).catch((error) => {
      if (!(options.wait && isConnectionLost(error))) throw error;
    });
    if (!options.wait) return callStandalone(transport, 'bulk-import', { params: pathParams, signal });
  } else printMessage(terminal, terminal.t('cli.import.waiting'));
  return waitForEnd(terminal, session, pathParams, timeout);
}

/**
 * Polls until the import has finished. The connection may be lost while the server keeps working, so
 * connection errors are ignored.
 */
async function waitForEnd(
  terminal: Terminal,
  session: Session,
  pathParams: ImportParams,
  timeout: number,
): Promise<BulkImportDetail> {
  const { signal } = terminal;
  const deadline = terminal.now() + timeout;
  const isRelevant = ({ resource, id }: { resource: string; id: string }) =>
    resource === 'bulk-import' && id === pathParams.importId;
  const fetchDetail = () =>
    callStandalone(session.transport, 'bulk-import', { params: pathParams, signal }).catch((error) => {
      if (isConnectionLost(error)) return null;
      throw error;
    });
  const first = await fetchDetail();
  if (first && isFinished(first)) return first;
  for await (const _ of watchForChanges(session, Math.min(pollIntervalMs, timeout), signal, isRelevant)) {
    const detail = await fetchDetail();
    if (detail && isFinished(detail)) return detail;
    if (terminal.now() >= deadline) break;
  }
  signal.throwIfAborted();
  throw new StillRunningError('cli.import.still');
}

function isFinished({ status }: BulkImportDetail): boolean {
  return status === 'succeeded' || status === 'failed';
}

async function reportResult(
  terminal: Terminal,
  session: Session,
  detail: BulkImportDetail,
  format: ReturnType<typeof importFormat>,
): Promise<void> {
  const { t } = terminal;
  await writeImport(terminal, detail, format, session.transport);
  if (detail.status === 'failed') throw new Problem('invalid', { detail: detail.reason ?? undefined });
  if (detail.status === 'planned') printMessage(terminal, t('cli.import.planned'));
  else printMessage(terminal, terminal.err.paint('success', t('cli.import.done')));
}
