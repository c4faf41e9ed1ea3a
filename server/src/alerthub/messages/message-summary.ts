// Builds the one-line summary of a message when it is received.
import { MessageBody } from '../message-body/message-body.ts';

const maxLength = 200;
/** Bytes; larger bodies are not parsed, and their first line becomes the summary. */
const maxParsed = 65_536;

/** Members that senders use for a headline, most specific first. */
const headlineKeys = [
  'subject',
  'title',
  'summary',
  'message',
  'text',
  'description',
  'AlarmName',
  'alertname',
  'name',
  'event',
];
const containerKeys = [
  'commonAnnotations',
  'commonLabels',
  'annotations',
  'labels',
  'alert',
  'event',
  'data',
];

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
  const text = body.subarray(0, maxParsed).toString('utf8');
  const headline = body.length <= maxParsed && /^\s*[{[]/.test(text) ? findHeadline(parsed(text)) : undefined;
  return toOneLine(headline ?? text);
}

function summarizeEncoded(body: MessageBody): string {
  if (body.text.length > maxParsed) return toOneLine(body.text);
  const { data } = body.readData();
  const inner = isObject(data) && isObject(data.payload) ? data.payload : data;
  return toOneLine(findHeadline(inner) ?? body.text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function findHeadline(data: unknown): string | undefined {
  const first = Array.isArray(data) ? data[0] : data;
  if (!isObject(first)) return undefined;
  const found = pickHeadline(first);
  if (found) return found;
  for (const nest of containerKeys) {
    const inner = first[nest];
    const within = isObject(inner) ? pickHeadline(inner) : undefined;
    if (within) return within;
  }
  const alerts = first.alerts;
  return Array.isArray(alerts) && isObject(alerts[0]) ? pickHeadline(alerts[0]) : undefined;
}

function pickHeadline(data: Record<string, unknown>): string | undefined {
  for (const name of headlineKeys) {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** Reduces a text to one line of at most the length of a summary. */
export function toOneLine(text: string): string {
  // Control characters and bidirectional overrides would let a sender manipulate the displayed line.
  const clean = text
    .slice(0, maxLength * 4)
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...clean];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : clean;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
