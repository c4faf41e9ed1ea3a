// `sessions log`: downloads a session recording and decrypts it when a private key is given.
import { open } from 'node:fs/promises';
import { Problem, problemFromReply } from '@yagura/core/http/problem';
import { readFileOrStdin } from '../command-line/read-file-or-stdin.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { QuickResponse } from '../http/quick-fetch.ts';
import { openSession } from '../signin/session.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';

export interface SessionLogOptions {
  kind?: string;
  identity?: string;
  output?: string;
}

/**
 * Writes the log to a file, or to stdout when that is not a terminal. An existing file is not overwritten.
 */
export async function downloadSessionLog(
  terminal: Terminal,
  sessionId: string,
  options: SessionLogOptions,
): Promise<void> {
  const { kind = 'text', identity, output } = options;
  if (!['text', 'video'].includes(kind))
    throw new UsageError('cli.usage.choice', { flag: '--kind', values: 'text, video' });
  const plain = identity !== undefined;
  if (output === undefined && terminal.out.isTTY && (!plain || kind === 'video'))
    throw new UsageError('cli.usage.missing-flag', { flag: '--output' });
  const key = plain ? parseIdentity(await readFileOrStdin(identity, terminal, '--identity')) : undefined;
  const log = await download(terminal, sessionId, kind);
  const bytes = key === undefined ? log : await decrypt(log, key);
  if (output === undefined || output === '-') process.stdout.write(bytes);
  else {
    await writeNewFile(output, bytes);
    printMessage(terminal, terminal.t('cli.export.saved', { path: output }));
  }
}

/** Returns the first secret key of a file written by `age-keygen`; comments are skipped. */
function parseIdentity(text: string): string {
  const found = /^AGE-SECRET-KEY-1[0-9A-Z]+$/im.exec(text);
  if (!found) throw new UsageError('cli.usage.identity');
  return found[0].toUpperCase();
}

async function download(terminal: Terminal, sessionId: string, kind: string): Promise<Uint8Array> {
  const { transport, origin } = openSession(terminal);
  const path = `/api/internal/apps/greac/sessions/${encodeURIComponent(sessionId)}/${kind}-log`;
  const response = (await transport
    .fetch(origin + path, {
      method: 'GET',
      headers: {
        accept: 'application/octet-stream, application/problem+json',
        'x-requested-with': 'XMLHttpRequest',
        ...(await transport.headers?.()),
      },
      signal: terminal.signal,
      redirect: 'error',
    })
    .catch((cause) => {
      if (terminal.signal.aborted || cause instanceof Problem) throw cause;
      throw new Problem('unreachable', {
        detail: (cause as NodeJS.ErrnoException).code ?? String(cause),
        cause,
      });
    })) as unknown as QuickResponse;
  if (!response.ok) {
    const text = await response.text();
    let body: unknown = text;
    try {
      body = JSON.parse(text);
    } catch {
      // A proxy between here and the space replied with its own body.
    }
    throw problemFromReply(response.status, body, { instance: path });
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function decrypt(log: Uint8Array, key: string): Promise<Uint8Array> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(key);
    return await decrypter.decrypt(log);
  } catch (cause) {
    throw new UsageError('cli.usage.decrypt', { reason: (cause as Error).message });
  }
}

async function writeNewFile(path: string, bytes: Uint8Array): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new UsageError('cli.usage.save', {
      flag: '--output',
      source: path,
      reason: (error as Error).message,
    });
  }
}
