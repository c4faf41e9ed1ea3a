// Content of a message other than a mail as the page and the API show it, serialized as JSON: the text, and its
// data or the reason why there is none.
import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { printExactJson } from '@yagura/core/http/exact-json';
import type { Translate } from '@yagura/core/i18n/translator';
import { MessageBody } from '../message-body/message-body.ts';

export function encodeContent(bytes: Buffer, headers: Record<string, string>, t: Translate): Uint8Array {
  const body = new MessageBody(bytes, headers);
  const { data, error } = body.readData();
  return Buffer.from(printExactJson({ body: body.text, data, dataError: error && formatReason(error, t) }));
}
