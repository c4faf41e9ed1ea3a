// Downloads of a message: its raw bytes, an attachment, or its HTML as a sanitized page.
import { Readable } from 'node:stream';
import { defaultRemovedElements, htmlToPlainText } from '@yagura/core/alerthub/engine/data/html-text';
import { message } from '@yagura/core/alerthub/message';
import { Problem } from '@yagura/core/http/problem';
import { isUuid } from '../../common/id.ts';
import { ThreadJobError } from '../../common/thread-pool.ts';
import { RawReply } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { htmlPageHeaders, renderTextPage } from '../inbound-mail/html-page.ts';
import type { Mail } from '../inbound-mail/parse-mail.ts';
import { findMessageSize, type MessageSize, readMessageBytes, readMessageChunks } from './message-bytes.ts';
import type { MessageContentServices } from './message-services.ts';

export const messageFiles = { raw, attachment, html };

/** Milliseconds for sanitizing the HTML of a mail; after that it is shown as text. */
const pageTimeoutMs = 10_000;

async function raw(context: RequestContext): Promise<RawReply> {
  const { size, isMail } = await findMessage(context);
  const { database } = context.services;
  const id = context.params.messageId!;
  const pieces = Readable.from(readMessageChunks(database, context.spaceId, id, size), { objectMode: false });
  return isMail
    ? toDownload(pieces, size, 'message/rfc822', `message-${id}.eml`)
    : toDownload(pieces, size, 'application/octet-stream', `message-${id}.bin`);
}

async function attachment(
  context: RequestContext<MessageContentServices>,
  query: unknown,
): Promise<RawReply> {
  const { index } = query as { index: number };
  const found = await findMessage(context);
  const { largeMessages, threads } = context.services;
  const made = found.isMail
    ? await largeMessages.run(context.spaceId, async () => {
        const raw = await loadBytes(context, found);
        return threads.run('mailAttachment', { raw, index }, { space: context.spaceId, transfer: [raw] });
      })
    : undefined;
  if (!made) throw new Problem('not-found', { detail: context.t('refusal.no-attachment') });
  const bytes = Buffer.from(made.bytes.buffer, made.bytes.byteOffset, made.bytes.byteLength);
  return toDownload(bytes, bytes.length, made.contentType, made.filename);
}

async function html(context: RequestContext<MessageContentServices>): Promise<RawReply> {
  const { services, spaceId, params } = context;
  const { rows } = await services.database.query<{ mail: Mail | null }>(
    'select mail from message where space_id = $1 and message_id = $2',
    [spaceId, isUuid(params.messageId) ? params.messageId : null],
  );
  const text = rows[0]?.mail?.html;
  if (!text) throw new Problem('not-found', { detail: context.t('refusal.no-html') });
  return new RawReply(await renderPage(context, text), htmlPageHeaders);
}

async function renderPage(context: RequestContext<MessageContentServices>, text: string): Promise<string> {
  const { largeMessages, threads } = context.services;
  const options = { space: context.spaceId, timeoutMs: pageTimeoutMs };
  try {
    // Most mails contain no images: read the bytes only if the HTML refers to some.
    if (!/\bcid:/i.test(text)) return await threads.run('mailPage', { html: text, raw: undefined }, options);
    return await largeMessages.run(context.spaceId, async () => {
      const raw = await loadBytes(context, await findMessage(context));
      return threads.run('mailPage', { html: text, raw }, { ...options, transfer: [raw] });
    });
  } catch (error) {
    // A busy pool is not caused by the mail.
    if (!(error instanceof ThreadJobError) || error.reason === 'busy') throw error;
    return renderTextPage(htmlToPlainText(text, new Set(defaultRemovedElements)));
  }
}

async function findMessage(context: RequestContext): Promise<MessageSize> {
  const { services, spaceId, params } = context;
  const id = params.messageId;
  const found = isUuid(id) ? await findMessageSize(services.database, spaceId, id) : undefined;
  if (!found) throw itemNotFound(context, message);
  return found;
}

function loadBytes({ services, spaceId, params }: RequestContext, { size }: MessageSize): Promise<Buffer> {
  return readMessageBytes(services.database, spaceId, params.messageId!, size);
}

/** Response for a file that browsers save and never display. */
function toDownload(bytes: Buffer | Readable, size: number, contentType: string, filename: string): RawReply {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return new RawReply(bytes, {
    'content-type': contentType,
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeName(filename)}`,
    'content-length': String(size),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  });
}

/** Percent-encodes a file name (RFC 8187). */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
