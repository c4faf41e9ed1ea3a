// Saves what a call replies in a file, byte for byte.
import { basename } from 'node:path';
import { UsageError } from '../../command-line/usage-error.ts';
import { saveOrPrint, saveStream } from '../../files/save-file.ts';
import { fetchContent } from '../../http/fetch-content.ts';
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
  const content = await fetchContent(terminal, transport, {
    path,
    method,
    accept,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  try {
    if (to === undefined && terminal.out.isTTY)
      await saveStream(terminal, usableName(content.reply), content.bytes, { flag: '--to', isNew: true });
    else await saveOrPrint(terminal, to, content.bytes, { flag: '--to' });
  } catch (error) {
    content.discard();
    throw error;
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
