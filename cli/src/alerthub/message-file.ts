// `messages raw`, `attachment` and `html`: saves the parts of a message byte for byte.
import { writeFile } from 'node:fs/promises';
import { problemFromReply } from '@yagura/core/http/problem';
import { urlOf } from '@yagura/core/http/transport';
import { expandPath } from '@yagura/core/resource/path';
import { UsageError } from '../command-line/usage-error.ts';
import { resourceNamed } from '../resource/meta/resource-client.ts';
import { openSession } from '../signin/session.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';

export interface MessageFileOptions {
  to: string;
}

/** `index` is the number of the attachment as listed by `messages show`. */
export async function saveMessageFile(
  terminal: Terminal,
  call: 'raw' | 'attachment' | 'html',
  messageId: string,
  index: string | undefined,
  { to }: MessageFileOptions,
): Promise<void> {
  const meta = resourceNamed('message');
  const { transport } = openSession(terminal);
  const path = expandPath(meta.itemPath, { messageId }) + meta.calls[call]!.path;
  const reply = await transport.fetch(transport.origin + urlOf({ path, query: { index } }), {
    method: 'GET',
    headers: (await transport.headers?.()) ?? {},
    signal: terminal.signal,
    redirect: 'error',
  });
  if (!reply.ok) {
    const body: unknown = await reply.json().catch(() => undefined);
    throw problemFromReply(reply.status, body, { instance: path });
  }
  const bytes = Buffer.from(await reply.arrayBuffer());
  try {
    await writeFile(to, bytes);
  } catch (error) {
    const reason = (error as Error).message;
    throw new UsageError('cli.usage.file', { flag: '--to', source: to, reason });
  }
  printMessage(terminal, terminal.t('cli.export.saved', { path: to }));
}
