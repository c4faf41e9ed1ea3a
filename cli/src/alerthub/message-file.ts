// `messages raw`, `attachment` and `html`: saves the parts of a message byte for byte.
import { urlOf } from '@yagura/core/http/transport';
import { expandPath } from '@yagura/core/resource/path';
import { resourceNamed } from '../resource/meta/resource-client.ts';
import { saveReply } from '../resource/output/save-reply.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface MessageFileOptions {
  to?: string;
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
  const path = expandPath(meta.itemPath, { messageId }) + meta.calls[call]!.path;
  await saveReply(terminal, to, {
    path: urlOf({ path, query: { index } }),
    method: 'GET',
    named: call === 'attachment',
    ...(call === 'html' ? { accept: 'text/html' } : {}),
  });
}
