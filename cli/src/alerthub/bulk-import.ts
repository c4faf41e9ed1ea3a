// `import`: submits a file of a kind, shows its plan, carries it out when told to, and waits until that is over.
import { basename } from 'node:path';
import type { BulkImport, BulkImportDetail } from '@yagura/core/alerthub/bulk/bulk-job';
import { callFixed } from '@yagura/core/http/fixed-calls';
import { Problem } from '@yagura/core/http/problem';
import { send, type Transport } from '@yagura/core/http/transport';
import { timesToLook } from '../live/changes.ts';
import { wholeNumber } from '../resource/list.ts';
import { openSession, type Session } from '../signin/session.ts';
import type { DataOptions } from '../term/data-options.ts';
import { StillRunning } from '../term/failure.ts';
import { readBytes } from '../term/read-source.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { checkKind } from './bulk-kinds.ts';
import { whileExecuting, whilePlanning } from './import-progress.ts';
import { importForm, planText, writeImport } from './import-text.ts';

export interface ExecOptions extends DataOptions {
  wait?: boolean;
  timeout?: string;
}

export interface ImportOptions extends ExecOptions {
  exec?: boolean;
}

interface Place extends Record<string, string> {
  kind: string;
  importId: string;
}

/** Planning and executing a large file takes its time; milliseconds. */
const uploadTimeoutMs = 15 * 60_000;
const largest = 200 * 1024 * 1024;
/** Milliseconds between two looks where changes are not told. */
const pollIntervalMs = 1000;

export async function importFile(
  terminal: Terminal,
  kind: string,
  source: string,
  options: ImportOptions,
): Promise<void> {
  checkKind(kind);
  const form = importForm(options);
  const timeout = timeoutOf(options);
  const bytes = await readBytes(source, terminal, 'FILE', largest);
  const session = patientSession(terminal);
  let detail = await plan(terminal, session.transport, kind, source, bytes);
  if (detail.status === 'planned' && (options.exec || options.wait)) {
    // Whoever waits for somebody else's yes has to see what it is about.
    if (!options.exec && !form) say(terminal, planText(terminal, detail));
    const place = { kind, importId: detail.importId };
    detail = await carriedOut(terminal, session, place, options, timeout);
  }
  await tellEnd(terminal, session, detail, form);
}

/** `imports exec`: carries out a plan that was made before, here or in the console. */
export async function executeImport(
  terminal: Terminal,
  kind: string,
  importId: string,
  options: ExecOptions,
): Promise<void> {
  checkKind(kind);
  const form = importForm(options);
  const timeout = timeoutOf(options);
  const session = patientSession(terminal);
  const detail = await carriedOut(terminal, session, { kind, importId }, { ...options, exec: true }, timeout);
  await tellEnd(terminal, session, detail, form);
}

function timeoutOf({ timeout }: ExecOptions): number {
  return (wholeNumber(timeout, '--timeout', 1, 86_400) ?? uploadTimeoutMs / 1000) * 1000;
}

function patientSession(terminal: Terminal): Session {
  const session = openSession(terminal);
  return { ...session, transport: { ...session.transport, timeout: uploadTimeoutMs } };
}

async function plan(
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
  return callFixed(transport, 'bulk-import', { params: { kind, importId: data.importId }, signal });
}

/** Executes when that is wanted, and looks until the import is over when somebody waits for it. */
async function carriedOut(
  terminal: Terminal,
  session: Session,
  pathParams: Place,
  options: ImportOptions,
  timeout: number,
): Promise<BulkImportDetail> {
  const { signal } = terminal;
  const { transport } = session;
  if (options.exec) {
    const execution = callFixed(transport, 'bulk-import-exec', { params: pathParams, body: {}, signal });
    await whileExecuting(terminal, execution).catch((error) => {
      if (!(options.wait && isLost(error))) throw error;
    });
    if (!options.wait) return callFixed(transport, 'bulk-import', { params: pathParams, signal });
  } else say(terminal, terminal.t('cli.import.waiting'));
  return ended(terminal, session, pathParams, timeout);
}

/** A connection can break while the server goes on: then the import tells what became of it. */
async function ended(
  terminal: Terminal,
  session: Session,
  pathParams: Place,
  timeout: number,
): Promise<BulkImportDetail> {
  const { signal } = terminal;
  const end = terminal.now() + timeout;
  const concerns = ({ resource, id }: { resource: string; id: string }) =>
    resource === 'bulk-import' && id === pathParams.importId;
  const look = () =>
    callFixed(session.transport, 'bulk-import', { params: pathParams, signal }).catch((error) => {
      if (isLost(error)) return null;
      throw error;
    });
  const first = await look();
  if (first && isOver(first)) return first;
  for await (const _ of timesToLook(session, Math.min(pollIntervalMs, timeout), signal, concerns)) {
    const detail = await look();
    if (detail && isOver(detail)) return detail;
    if (terminal.now() >= end) break;
  }
  signal.throwIfAborted();
  throw new StillRunning('cli.import.still');
}

function isOver({ status }: BulkImportDetail): boolean {
  return status === 'succeeded' || status === 'failed';
}

function isLost(error: unknown): boolean {
  return error instanceof Problem && ['unreachable', 'unavailable'].includes(error.kind);
}

async function tellEnd(
  terminal: Terminal,
  session: Session,
  detail: BulkImportDetail,
  form: ReturnType<typeof importForm>,
): Promise<void> {
  const { t } = terminal;
  await writeImport(terminal, detail, form, session.transport);
  if (detail.status === 'failed') throw new Problem('invalid', { detail: detail.reason ?? undefined });
  if (detail.status === 'planned') say(terminal, t('cli.import.planned'));
  else say(terminal, terminal.err.paint('success', t('cli.import.done')));
}
