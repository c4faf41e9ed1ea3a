// Parses the header fields of a mail: unfolds them, decodes encoded words, and guesses the charset of raw
// bytes.

import { decodeText } from './charset.ts';
import { cleanText } from './clean-text.ts';
import { decodeQuotedPrintable } from './transfer-encoding.ts';

/** A raw field, each byte as one character. */
export interface RawHeaderField {
  /** In lower case. */
  name: string;
  value: string;
}

/** Maximum bytes of a header; the rest is ignored. */
const maxHeader = 1 << 20;
const maxFields = 2000;
/** Maximum bytes of one field. */
const maxField = 65_536;

/** Parses the fields of a header block; `isCut` if it exceeds the limits. */
export function parseHeaderFields(block: Buffer): { fields: RawHeaderField[]; isCut: boolean } {
  let isCut = block.length > maxHeader;
  const lines = block.subarray(0, maxHeader).toString('latin1').split('\n');
  const fields: RawHeaderField[] = [];
  let pieces: string[] = [];
  let length = 0;
  const end = () => {
    if (pieces.length === 0) return;
    const field = fieldOf(pieces.join(''));
    if (field) fields.push(field);
    pieces = [];
    length = 0;
  };
  for (const line of lines) {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    const goesOn = text.startsWith(' ') || text.startsWith('\t');
    if (!goesOn) end();
    if (fields.length >= maxFields) {
      isCut = true;
      break;
    }
    if (length + text.length > maxField) isCut = true;
    const taken = text.slice(0, Math.max(maxField - length, 0));
    pieces.push(taken);
    length += taken.length;
  }
  end();
  return { fields, isCut };
}

function fieldOf(line: string): RawHeaderField | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  // Ignore lines that are no field, such as the separator line of an mbox.
  if (name === '' || name.length > 100 || /[^\x21-\x7e]/.test(name)) return undefined;
  return { name, value: line.slice(colon + 1).trim() };
}

/** Decodes a field for display. */
export function decodeHeaderField(raw: string, charset?: string): string {
  return cleanText(decodeEncodedWords(decodeRawText(raw, charset))).trim();
}

/** Decodes raw bytes; encoded words are left as they are, for fields with a syntax of their own. */
export function decodeRawText(raw: string, charset?: string): string {
  return /[\x1b\x80-\xff]/.test(raw) ? decodeText(Buffer.from(raw, 'latin1'), known(charset, raw)) : raw;
}

/** Returns the charset of the body if raw bytes in the header can be in it. */
function known(charset: string | undefined, raw: string): string {
  return charset && !raw.includes('\x1b') ? charset : '';
}

interface EncodedWord {
  charset: string;
  encoding: 'b' | 'q';
  text: string;
}

const encodedWordPattern = /=\?([^?\s]{1,80})\?([bBqQ])\?([^?]*)\?=/g;

/**
 * Decodes encoded words (RFC 2047). Adjacent words of one charset are joined first, as some senders split a
 * character between two.
 */
export function decodeEncodedWords(text: string): string {
  if (!text.includes('=?')) return text;
  let read = '';
  let run: EncodedWord[] = [];
  let at = 0;
  for (const match of text.matchAll(encodedWordPattern)) {
    const between = text.slice(at, match.index);
    const [whole, charsetName = '', encodingName = '', content = ''] = match;
    // RFC 2231 allows a language tag after the charset.
    const charset = charsetName.split('*')[0]!.toLowerCase();
    const encoding = encodingName.toLowerCase() as EncodedWord['encoding'];
    const blank = /^\s*$/.test(between);
    if (run.length > 0 && !(blank && run[0]!.charset === charset)) {
      read += decodeWordRun(run);
      run = [];
      if (!blank) read += between;
    } else if (run.length === 0) read += between;
    run.push({ charset, encoding, text: content });
    at = match.index + whole.length;
  }
  return read + decodeWordRun(run) + text.slice(at);
}

function decodeWordRun(run: EncodedWord[]): string {
  if (run.length === 0) return '';
  const pieces: Buffer[] = [];
  let base64 = '';
  const endBase64 = () => {
    if (base64 !== '') pieces.push(Buffer.from(base64, 'base64'));
    base64 = '';
  };
  for (const word of run) {
    if (word.encoding === 'b') {
      base64 += word.text.replace(/\s+/g, '');
      // Base64 that ends within a group of four continues in the next word.
      if (base64.length % 4 === 0 || base64.endsWith('=')) endBase64();
      continue;
    }
    endBase64();
    pieces.push(decodeQuotedPrintable(Buffer.from(word.text.replace(/_/g, '=20'), 'latin1')));
  }
  endBase64();
  return decodeText(Buffer.concat(pieces), run[0]!.charset);
}
