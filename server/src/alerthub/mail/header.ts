// The fields of a mail's header as text: unfolded, encoded words read, raw bytes in whatever charset they look like.

import { decodeText } from './charset.ts';
import { clean } from './clean.ts';
import { decodeQuotedPrintable } from './transfer-encoding.ts';

/** One field as its bytes came, each byte a character. */
export interface RawField {
  /** Lower case. */
  name: string;
  value: string;
}

/** Bytes of a header that are read; the rest of it is passed over. */
const maxHeader = 1 << 20;
const maxFields = 2000;
/** Bytes of one field. */
const maxField = 65_536;

/** Reads the fields of a header block; `isCut` when it holds more than is read. */
export function readFields(block: Buffer): { fields: RawField[]; isCut: boolean } {
  let isCut = block.length > maxHeader;
  const lines = block.subarray(0, maxHeader).toString('latin1').split('\n');
  const fields: RawField[] = [];
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

function fieldOf(line: string): RawField | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  // What is no field is what somebody put there by mistake, such as the line of an mbox.
  if (name === '' || name.length > 100 || /[^\x21-\x7e]/.test(name)) return undefined;
  return { name, value: line.slice(colon + 1).trim() };
}

/** A field's value as people read it. */
export function fieldText(raw: string, charset?: string): string {
  return clean(readWords(rawText(raw, charset))).trim();
}

/** Raw bytes as text; encoded words stay as they are, for what has a syntax of its own. */
export function rawText(raw: string, charset?: string): string {
  return /[\x1b\x80-\xff]/.test(raw) ? decodeText(Buffer.from(raw, 'latin1'), known(charset, raw)) : raw;
}

/** The charset of the body says something about raw bytes in the header only when it can hold them. */
function known(charset: string | undefined, raw: string): string {
  return charset && !raw.includes('\x1b') ? charset : '';
}

interface Word {
  charset: string;
  encoding: 'b' | 'q';
  text: string;
}

const wordPattern = /=\?([^?\s]{1,80})\?([bBqQ])\?([^?]*)\?=/g;

/** Reads encoded words (RFC 2047); neighbours of one charset are one run of bytes, as some split a character in two. */
export function readWords(text: string): string {
  if (!text.includes('=?')) return text;
  let read = '';
  let run: Word[] = [];
  let at = 0;
  for (const match of text.matchAll(wordPattern)) {
    const between = text.slice(at, match.index);
    const [whole, charsetName = '', encodingName = '', content = ''] = match;
    // RFC 2231 allows a language behind the charset.
    const charset = charsetName.split('*')[0]!.toLowerCase();
    const encoding = encodingName.toLowerCase() as Word['encoding'];
    const blank = /^\s*$/.test(between);
    if (run.length > 0 && !(blank && run[0]!.charset === charset)) {
      read += wordsText(run);
      run = [];
      if (!blank) read += between;
    } else if (run.length === 0) read += between;
    run.push({ charset, encoding, text: content });
    at = match.index + whole.length;
  }
  return read + wordsText(run) + text.slice(at);
}

function wordsText(run: Word[]): string {
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
      // Text that ends within a group of four goes on in the next word.
      if (base64.length % 4 === 0 || base64.endsWith('=')) endBase64();
      continue;
    }
    endBase64();
    pieces.push(decodeQuotedPrintable(Buffer.from(word.text.replace(/_/g, '=20'), 'latin1')));
  }
  endBase64();
  return decodeText(Buffer.concat(pieces), run[0]!.charset);
}
