// Builds the one-line summary of a message when it is stored.
import { messageHeadline } from '@yagura/core/alerthub/engine/data/message-headline';
import { cleanName } from '@yagura/core/validation/name-characters';
import { MessageBody } from '../message-body/message-body.ts';
import { closeCutJson } from './cut-json.ts';

const maxLength = 200;
/** Bytes; of larger bodies only the beginning is read. */
const maxParsed = 65_536;
/** Characters of a larger body that are read: enough for the first alert of a group. */
const maxBeginning = 4096;

/** Content types whose data differs from the text, so that the text makes no good summary. */
const encodedType = /^\s*(?:multipart\/|application\/x-www-form-urlencoded)/i;

/** First bytes of the byte order marks of UTF-8 and UTF-16. */
const byteOrderMarks = new Set<number | undefined>([0xef, 0xfe, 0xff]);

export function summarize(body: Buffer, headers: Record<string, string> = {}): string {
  const type = headers['content-type'] ?? '';
  const isEncoded =
    headers['content-encoding'] !== undefined ||
    /charset="?(?!utf-?8)/i.test(type) ||
    encodedType.test(type) ||
    byteOrderMarks.has(body[0]);
  if (isEncoded && body.length <= maxParsed) return summarizeEncoded(new MessageBody(body, headers));
  const isCut = body.length > maxParsed;
  return summarizeText(body.toString('utf8', 0, isCut ? maxBeginning : body.length), isCut);
}

function summarizeEncoded(body: MessageBody): string {
  if (body.text.length > maxParsed) return summarizeText(body.text.slice(0, maxBeginning), true);
  const { data } = body.readData();
  return toOneLine(messageHeadline(data) ?? body.text);
}

function summarizeText(text: string, isCut: boolean): string {
  const data = /^\s*[{[]/.test(text) ? parsed(isCut ? closeCutJson(text) : text) : undefined;
  return toOneLine(messageHeadline(data, { isCut }) ?? text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reduces a text to one line of at most the length of a summary. */
export function toOneLine(text: string): string {
  // Control characters and bidirectional overrides would let a sender manipulate the displayed line.
  const clean = cleanName(text.slice(0, maxLength * 4)).replace(/\s+/g, ' ');
  if (clean.length <= maxLength) return clean;
  const characters = [...clean];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : clean;
}
