// How far an import is, on stderr: a bar of planned rows and the seconds of an execution on a terminal, else one line each.
import { setTimeout as pause } from 'node:timers/promises';
import type { Transport } from '@yagura/core/http/transport';
import { callStandalone } from '@yagura/core/standalone-calls';
import { Progress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Milliseconds between two looks. */
const pollIntervalMs = 500;
/** Imports among which the one that was just sent is looked for. */
const recentImportLimit = 10;

export interface UploadedFile {
  kind: string;
  bytes: Buffer;
}

/** Tells the rows that the server has planned so far, until the plan is made. Who may not list imports sees no numbers. */
export async function whilePlanning<T>(
  terminal: Terminal,
  transport: Transport,
  file: UploadedFile,
  work: Promise<T>,
): Promise<T> {
  const text = terminal.t('cli.import.planning');
  const all = countRows(file.bytes);
  let importId: string | undefined;
  return withProgress(terminal, work, text, async (progress, signal) => {
    importId ??= await findImport(transport, file, signal);
    if (!importId) return;
    const params = { kind: file.kind, importId };
    const { total } = await callStandalone(transport, 'bulk-import-rows', {
      params,
      query: { limit: 1 },
      signal,
    });
    progress.show(`${text} ${total}/${all}`, total, all);
  });
}

/** An execution is one transaction, so that nothing of it can be seen before its end but the time it takes. */
export async function whileExecuting<T>(terminal: Terminal, work: Promise<T>): Promise<T> {
  const text = terminal.t('cli.import.executing');
  const startedAt = terminal.now();
  return withProgress(terminal, work, text, async (progress) => {
    const seconds = Math.round((terminal.now() - startedAt) / 1000);
    if (seconds > 0) progress.show(`${text} ${terminal.t('cli.import.seconds', { seconds })}`, 0, 0);
  });
}

async function withProgress<T>(
  terminal: Terminal,
  work: Promise<T>,
  text: string,
  poll: (progress: Progress, signal: AbortSignal) => Promise<void>,
): Promise<T> {
  const progress = new Progress(terminal);
  const finished = new AbortController();
  progress.show(text, 0, 0);
  const polling = terminal.err.isTTY
    ? pollUntilAborted(finished.signal, (signal) => poll(progress, signal))
    : undefined;
  try {
    return await work;
  } finally {
    finished.abort();
    await polling;
    progress.end();
  }
}

/** What cannot be looked at is not worth a failure: the work itself tells what is wrong. */
async function pollUntilAborted(
  signal: AbortSignal,
  poll: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  try {
    for (;;) {
      await pause(pollIntervalMs, undefined, { signal });
      await poll(signal);
    }
  } catch {
    return;
  }
}

async function findImport(
  transport: Transport,
  { kind, bytes }: UploadedFile,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { items } = await callStandalone(transport, 'bulk-imports', {
    params: { kind },
    query: { limit: recentImportLimit },
    signal,
  });
  return items.find(({ status, size }) => status === 'processing' && size === bytes.length)?.importId;
}

const quote = 0x22;
const lineFeed = 0x0a;

/** Rows of a CSV file below its header: line ends outside of quotes. */
export function countRows(bytes: Uint8Array): number {
  let rows = 0;
  let quoted = false;
  let open = false;
  for (const byte of bytes) {
    if (byte === quote) quoted = !quoted;
    if (byte === lineFeed && !quoted) {
      rows += 1;
      open = false;
    } else open = true;
  }
  return Math.max(0, rows + (open ? 1 : 0) - 1);
}
