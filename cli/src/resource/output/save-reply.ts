// Saves what a call replies in a file, byte for byte.
import { problemFromReply } from '@yagura/core/http/problem';
import { saveFile } from '../../files/save-file.ts';
import { fetchReply } from '../../http/fetch-reply.ts';
import { openSession } from '../../signin/session.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface FileRequest {
  /** Path and query. */
  path: string;
  method: 'GET' | 'POST';
  /** Sent as JSON. */
  body?: unknown;
  /** Media type of the file. */
  accept?: string | undefined;
}

/** `to` is the value of `--to`: a path, or `-` for stdout. */
export async function saveReply(
  terminal: Terminal,
  to: string,
  { path, method, body, accept = '*/*' }: FileRequest,
): Promise<void> {
  const { transport } = openSession(terminal);
  const reply = await fetchReply(transport, path, {
    method,
    headers: {
      accept,
      ...(await transport.headers?.()),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: terminal.signal,
  });
  if (!reply.ok) {
    const problem: unknown = await reply.json().catch(() => undefined);
    throw problemFromReply(reply.status, problem, { instance: path.split('?')[0]! });
  }
  const bytes = Buffer.from(await reply.arrayBuffer());
  if (to === '-') terminal.out.write(bytes);
  else await saveFile(terminal, to, bytes, { flag: '--to' });
}
