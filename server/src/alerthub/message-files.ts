// What of a message leaves as a file: its bytes, an attachment, its HTML as a harmless page.
import { message } from '@yagura/core/alerthub/message';
import { invalidField, Problem } from '@yagura/core/http/problem';
import { isUuid } from '../id.ts';
import { RawReply } from '../resource/behaviour.ts';
import type { Context } from '../resource/context.ts';
import { noItem } from '../resource/no-item.ts';
import { htmlHeaders, htmlPage } from './mail/html-page.ts';
import type { Mail } from './mail/read-mail.ts';
import { readAttachment, readPictures } from './mail/read-mail.ts';

export const messageFiles = { raw, attachment, html };

async function raw(context: Context): Promise<RawReply> {
  const { body, isMail } = await bytesOf(context);
  const id = context.place.messageId;
  return isMail
    ? download(body, 'message/rfc822', `message-${id}.eml`)
    : download(body, 'application/octet-stream', `message-${id}.bin`);
}

async function attachment(context: Context): Promise<RawReply> {
  const { index = '' } = context.query;
  if (!/^\d{1,4}$/.test(String(index))) throw invalidField('index', context.t('rule.integer'));
  const { body, isMail } = await bytesOf(context);
  const found = isMail ? readAttachment(body, Number(index)) : undefined;
  if (!found) throw new Problem('not-found', { detail: 'the message has no such attachment' });
  return download(found.bytes, found.contentType, found.filename);
}

async function html(context: Context): Promise<RawReply> {
  const { messageId } = context.place;
  const { rows } = await context.services.database.query<{ mail: Mail | null }>(
    'select mail from message where space_id = $1 and message_id = $2',
    [context.spaceId, isUuid(messageId) ? messageId : null],
  );
  const text = rows[0]?.mail?.html;
  if (!text) throw new Problem('not-found', { detail: 'the message has no HTML' });
  // Most mails bring no pictures: their bytes are read only for those that do.
  const pictures = /\bcid:/i.test(text) ? readPictures((await bytesOf(context)).body) : new Map();
  return new RawReply(
    htmlPage(text, (contentId) => pictures.get(contentId)),
    htmlHeaders,
  );
}

async function bytesOf(context: Context): Promise<{ body: Buffer; isMail: boolean }> {
  const { messageId } = context.place;
  const { rows } = await context.services.database.query<{ body: Buffer; is_mail: boolean }>(
    'select body, mail is not null as is_mail from message where space_id = $1 and message_id = $2',
    [context.spaceId, isUuid(messageId) ? messageId : null],
  );
  const row = rows[0];
  if (!row) throw noItem(context, message);
  return { body: row.body, isMail: row.is_mail };
}

/** A file that a browser keeps and never shows. */
function download(bytes: Buffer, contentType: string, filename: string): RawReply {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return new RawReply(bytes, {
    'content-type': contentType,
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeName(filename)}`,
    'content-length': String(bytes.length),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  });
}

/** RFC 8187. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
