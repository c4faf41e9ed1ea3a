// Parses a mail: the texts that rules match, sender, header fields and a list of attachments.
import { defaultRemovedElements, htmlToPlainText } from '@yagura/core/alerthub/engine/data/html-text';
import addressparser from 'nodemailer/lib/addressparser';
import { decodeText } from './charset.ts';
import { cleanText } from './clean-text.ts';
import {
  decodeEncodedWords,
  decodeHeaderField,
  decodeRawText,
  type RawHeaderField,
} from './header-fields.ts';
import type { InlineImage } from './html-page.ts';
import { type MimePart, parseMimeParts } from './mime-parts.ts';
import { decodeBody, decodedSize } from './transfer-encoding.ts';

export interface Attachment {
  /** Index of the part in the mail; identifies the attachment in requests. */
  index: number;
  filename: string;
  contentType: string;
  /** Decoded size in bytes. */
  size: number;
}

/** Parts of a mail omitted from the parsed form because they exceed the limits. */
export type TruncatedPart = 'header' | 'parts' | 'depth' | 'text' | 'html' | 'attachments';

export interface Mail {
  subject: string;
  text: string;
  html: string;
  from: { name: string; email: string };
  attachments: Attachment[];
  cut: TruncatedPart[];
}

/** A newly received mail, with the data for duplicate and loop detection. */
export interface ParsedMail {
  mail: Mail;
  /** Decoded, by lower-case name; values of a repeated field are separated by line breaks. */
  headers: Record<string, string>;
  /** Number of hosts that have relayed it. */
  hops: number;
  /** Message-ID and Date; undefined without a Message-ID. */
  identity: string | undefined;
}

/** Maximum decoded bytes of plain text, and of HTML. */
const maxText = 1 << 20;
const maxSubject = 1000;
const maxAttachments = 200;
/** Maximum characters and field names of the stored header. */
const maxHeaders = 262_144;
const maxNames = 500;
const maxNameLength = 200;
const maxInlineImages = 50;
const maxInlineImageBytes = 2 << 20;

export function parseMail(raw: Buffer): ParsedMail {
  const { fields, parts, cut } = parseMimeParts(raw);
  const cuts = new Set<TruncatedPart>(cut);
  const charset = parts.find((part) => isText(part))?.type.params.get('charset');
  const one = (name: string) => fields.find((field) => field.name === name)?.value ?? '';
  const texts = parts.filter((part) => isText(part));
  const plain = textOf(texts, 'text/plain', () => cuts.add('text'));
  const html = textOf(texts, 'text/html', () => cuts.add('html'));
  const attached = attachedParts(parts);
  if (attached.length > maxAttachments) cuts.add('attachments');
  const headers = headersOf(fields, charset, () => cuts.add('header'));
  const id = one('message-id').trim();
  return {
    mail: {
      subject: decodeHeaderField(one('subject'), charset).slice(0, maxSubject).toWellFormed(),
      text: plain === '' && html !== '' ? htmlToPlainText(html, new Set(defaultRemovedElements)) : plain,
      html,
      from: senderOf(one('from') || one('sender'), charset),
      attachments: attached.slice(0, maxAttachments).map((part) => ({
        index: parts.indexOf(part),
        filename: filenameOf(part, parts.indexOf(part)),
        contentType: typeOf(part),
        size: decodedSize(part.body, part.encoding),
      })),
      cut: [...cuts],
    },
    headers,
    hops: fields.filter((field) => field.name === 'received').length,
    identity: id === '' ? undefined : `${id}\n${one('date').trim()}`,
  };
}

/** Returns the bytes of an attachment; undefined if it does not exist. */
export function extractAttachment(
  raw: Buffer,
  index: number,
): { filename: string; contentType: string; contentId: string; bytes: Buffer } | undefined {
  const { parts } = parseMimeParts(raw);
  const part = parts[index];
  if (!part || !attachedParts(parts).includes(part)) return undefined;
  const { bytes } = decodeBody(part.body, part.encoding);
  return { filename: filenameOf(part, index), contentType: typeOf(part), contentId: part.contentId, bytes };
}

/** Images that the HTML of a mail can show, by Content-ID. */
export function extractInlineImages(raw: Buffer): Map<string, InlineImage> {
  const { parts } = parseMimeParts(raw);
  const found = parts.filter((part) => part.contentId !== '' && part.type.value.startsWith('image/'));
  return new Map(
    found.slice(0, maxInlineImages).map((part) => {
      const { bytes } = decodeBody(part.body, part.encoding, maxInlineImageBytes);
      return [part.contentId, { contentId: part.contentId, contentType: part.type.value, bytes }];
    }),
  );
}

/** Whether a part is text of the mail rather than an attachment. */
function isText(part: MimePart): boolean {
  const type = part.type.value;
  if (type !== '' && type !== 'text' && type !== 'text/plain' && type !== 'text/html') return false;
  return part.disposition.value !== 'attachment' && declaredFilename(part) === '';
}

function attachedParts(parts: MimePart[]): MimePart[] {
  return parts.filter((part) => !isText(part));
}

function textOf(texts: MimePart[], type: 'text/plain' | 'text/html', cut: () => void): string {
  const pieces: string[] = [];
  let left = maxText;
  for (const part of texts) {
    const isHtml = part.type.value === 'text/html';
    if (isHtml !== (type === 'text/html')) continue;
    const { bytes, isCut } = decodeBody(part.body, part.encoding, left);
    if (isCut) cut();
    left -= bytes.length;
    const text = cleanText(decodeText(bytes, part.type.params.get('charset')));
    pieces.push(
      part.type.params.get('format')?.toLowerCase() === 'flowed' ? unwrapFlowedText(text, part) : text,
    );
  }
  return pieces.join('\n');
}

/** Joins lines that end with a space (format=flowed, RFC 3676). */
function unwrapFlowedText(text: string, part: MimePart): string {
  const isDropped = part.type.params.get('delsp')?.toLowerCase() === 'yes';
  const lines: string[] = [];
  let goesOn = false;
  for (const line of text.split('\n')) {
    const own = line.startsWith(' ') ? line.slice(1) : line;
    const flows = own.endsWith(' ') && own !== '-- ';
    const kept = flows && isDropped ? own.slice(0, -1) : own;
    const isQuoted = own.startsWith('>');
    if (goesOn && !isQuoted) lines[lines.length - 1] += kept;
    else lines.push(kept);
    goesOn = flows && !isQuoted;
  }
  return lines.join('\n');
}

function headersOf(
  fields: RawHeaderField[],
  charset: string | undefined,
  cut: () => void,
): Record<string, string> {
  const headers = new Map<string, string[]>();
  let left = maxHeaders;
  for (const { name, value } of fields) {
    const text = decodeHeaderField(value, charset);
    left -= name.length + text.length;
    if (left < 0 || (headers.size >= maxNames && !headers.has(name))) {
      cut();
      break;
    }
    const list = headers.get(name);
    if (list) list.push(text);
    else headers.set(name, [text]);
  }
  return Object.fromEntries([...headers].map(([name, list]) => [name, list.join('\n')]));
}

function senderOf(raw: string, charset: string | undefined): Mail['from'] {
  // Only one address is needed: do not parse a list of a million.
  const given = decodeRawText(raw.slice(0, 4096), charset);
  const first = addressparser(given, { flatten: true })[0];
  return {
    name: cleanText(decodeEncodedWords(first?.name ?? '')).trim(),
    email: cleanText(first?.address ?? '').trim(),
  };
}

function typeOf(part: MimePart): string {
  const type = part.type.value;
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : 'application/octet-stream';
}

function declaredFilename(part: MimePart): string {
  return part.disposition.params.get('filename') || part.type.params.get('name') || '';
}

/** Returns a file name without folders, control characters and bidirectional overrides. */
function filenameOf(part: MimePart, index: number): string {
  const given = declaredFilename(part)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '_')
    .trim()
    .replace(/^\.+/, '');
  if (given !== '') return [...given].slice(-maxNameLength).join('');
  const ending = part.type.value === 'message/rfc822' ? '.eml' : '';
  return `attachment-${index}${ending}`;
}
