// How far an import is, on stderr: a bar of planned rows and the seconds of an execution on a terminal, else one line each.
import { setTimeout as pause } from 'node:timers/promises';
import { callFixed } from '@yagura/core/http/fixed-calls';
import type { Transport } from '@yagura/core/http/transport';
import { Progress } from '../term/progress.ts';
import type { Terminal } from '../term/terminal.ts';

/** Milliseconds between two looks. */
const pollIntervalMs = 500;
/** Imports among which the one that was just sent is looked for. */
const newest = 10;

export interface SentFile {
  kind: string;
  bytes: Buffer;
}

/** Tells the rows that the server has planned so far, until the plan is made. Who may not list imports sees no numbers. */
export async function whilePlanning<T>(
  terminal: Terminal,
  transport: Transport,
  file: SentFile,
  work: Promise<T>,
): Promise<T> {
  const text = terminal.t('cli.import.planning');
  const all = countRows(file.bytes);
  let importId: string | undefined;
  return during(terminal, work, text, async (progress, signal) => {
    importId ??= await findSent(transport, file, signal);
    if (!importId) return;
    const params = { kind: file.kind, importId };
    const { total } = await callFixed(transport, 'bulk-import-rows', { params, query: { limit: 1 }, signal });
    progress.show(`${text} ${total}/${all}`, total, all);
  });
}

/** An execution is one transaction, so that nothing of it can be seen before its end but the time it takes. */
export async function whileExecuting<T>(terminal: Terminal, work: Promise<T>): Promise<T> {
  const text = terminal.t('cli.import.executing');
  const begun = terminal.now();
  return during(terminal, work, text, async (progress) => {
    const seconds = Math.round((terminal.now() - begun) / 1000);
    if (seconds > 0) progress.show(`${text} ${terminal.t('cli.import.seconds', { seconds })}`, 0, 0);
  });
}

async function during<T>(
  terminal: Terminal,
  work: Promise<T>,
  text: string,
  look: (progress: Progress, signal: AbortSignal) => Promise<void>,
): Promise<T> {
  const progress = new Progress(terminal);
  const over = new AbortController();
  progress.show(text, 0, 0);
  const looking = terminal.err.live ? lookAgain(over.signal, (signal) => look(progress, signal)) : undefined;
  try {
    return await work;
  } finally {
    over.abort();
    await looking;
    progress.end();
  }
}

/** What cannot be looked at is not worth a failure: the work itself tells what is wrong. */
async function lookAgain(signal: AbortSignal, look: (signal: AbortSignal) => Promise<void>): Promise<void> {
  try {
    for (;;) {
      await pause(pollIntervalMs, undefined, { signal });
      await look(signal);
    }
  } catch {
    return;
  }
}

async function findSent(
  transport: Transport,
  { kind, bytes }: SentFile,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { items } = await callFixed(transport, 'bulk-imports', {
    params: { kind },
    query: { limit: newest },
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
