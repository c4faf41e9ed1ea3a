// Reports import progress on stderr: a progress bar and elapsed seconds on a terminal, otherwise one line per
// phase.
import { setTimeout as pause } from 'node:timers/promises';
import type { Transport } from '@yagura/core/http/transport';
import { callStandalone } from '@yagura/core/standalone-calls';
import { Progress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Poll interval in milliseconds. */
const pollIntervalMs = 500;
/** Number of latest imports searched for the one just uploaded. */
const recentImportLimit = 10;

export interface UploadedFile {
  kind: string;
  bytes: Buffer;
}

/** Shows the number of rows planned so far. Users without permission to list imports see no numbers. */
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

/** Shows the elapsed time; an execution is one transaction, so no other progress is visible. */
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

/** Errors of progress polling are ignored; the job itself reports what is wrong. */
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

/** Counts the data rows of a CSV file (line ends outside quotes, without the header). */
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
