// Saves what a call replies in a file, byte for byte.
import { writeFile } from 'node:fs/promises';
import { problemFromReply } from '@yagura/core/http/problem';
import { UsageError } from '../../command-line/usage-error.ts';
import { openSession } from '../../signin/session.ts';
import { printMessage, type Terminal } from '../../terminal/terminal.ts';

export interface FileRequest {
  /** Path and query. */
  path: string;
  method: 'GET' | 'POST';
  /** Sent as JSON. */
  body?: unknown;
}

/** `to` is the value of `--to`. */
export async function saveReply(
  terminal: Terminal,
  to: string,
  { path, method, body }: FileRequest,
): Promise<void> {
  const { transport } = openSession(terminal);
  const reply = await transport.fetch(transport.origin + path, {
    method,
    headers: {
      ...(await transport.headers?.()),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: terminal.signal,
    redirect: 'error',
  });
  if (!reply.ok) {
    const problem: unknown = await reply.json().catch(() => undefined);
    throw problemFromReply(reply.status, problem, { instance: path.split('?')[0]! });
  }
  const bytes = Buffer.from(await reply.arrayBuffer());
  try {
    await writeFile(to, bytes);
  } catch (error) {
    const reason = (error as Error).message;
    throw new UsageError('cli.usage.save', { flag: '--to', source: to, reason });
  }
  printMessage(terminal, terminal.t('cli.export.saved', { path: to }));
}
