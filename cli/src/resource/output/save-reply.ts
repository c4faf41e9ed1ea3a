// Saves what a call replies in a file, byte for byte.
import { basename } from 'node:path';
import { Problem, problemFromReply } from '@yagura/core/http/problem';
import { failureReason, type Transport } from '@yagura/core/http/transport';
import { UsageError } from '../../command-line/usage-error.ts';
import { saveStream } from '../../files/save-file.ts';
import { fetchReply } from '../../http/fetch-reply.ts';
import { openSession } from '../../signin/session.ts';
import { cleanLine } from '../../terminal/clean.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface FileRequest {
  /** Path and query. */
  path: string;
  method: 'GET' | 'POST';
  /** Sent as JSON. */
  body?: unknown;
  /** Media type of the file. */
  accept?: string | undefined;
  /** The reply has the name of the file, which is used on a terminal without `--to`. */
  named?: boolean;
}

/**
 * `to` is the value of `--to`: a path, or `-` for stdout. Without it, stdout unless that is a terminal, or the name in the
 * reply.
 */
export async function saveReply(
  terminal: Terminal,
  to: string | undefined,
  { path, method, body, accept = '*/*', named = false }: FileRequest,
): Promise<void> {
  if (to === undefined && terminal.out.isTTY && !named)
    throw new UsageError('cli.usage.missing-flag', { flag: '--to' });
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
  const content = contentOf(terminal, transport, reply);
  if (to === undefined && terminal.out.isTTY) {
    await saveStream(terminal, usableName(reply), content, { flag: '--to', isNew: true });
    return;
  }
  if (to === undefined || to === '-')
    for await (const chunk of content) await terminal.out.writeAndDrain(chunk);
  else await saveStream(terminal, to, content, { flag: '--to' });
}

/** The body as it arrives, so that its size does not matter. A connection that breaks is an error of the space. */
async function* contentOf(
  { signal }: Terminal,
  { describeFailure }: Transport,
  { body }: Response,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body as unknown as AsyncIterable<Uint8Array>;
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new Problem('unreachable', { detail: describeFailure?.({ reason: failureReason(cause) }), cause });
  }
}

/** The name comes from whoever sent the file, so it must not lead to another folder, nor be hidden or an option. */
function usableName(reply: Response): string {
  const header = reply.headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;\s]+)/i.exec(header)?.[1];
  const name = cleanLine(
    basename((decodeName(encoded) ?? /filename="([^"]*)"/i.exec(header)?.[1] ?? '').replaceAll('\\', '/')),
  );
  if (/^[.-]|^$/.test(name)) throw new UsageError('cli.usage.missing-flag', { flag: '--to' });
  return name;
}

function decodeName(encoded: string | undefined): string | undefined {
  try {
    return encoded && decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
