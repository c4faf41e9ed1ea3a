// Parses header fields with parameters, such as Content-Type: RFC 2231 continuations and charsets, and common
// deviations.

import { decodeText } from './charset.ts';
import { cleanText } from './clean-text.ts';
import { decodeEncodedWords, decodeRawText } from './header-fields.ts';

export interface HeaderParameters {
  /** In lower case; empty if absent. */
  value: string;
  /** By lower-case name. */
  params: ReadonlyMap<string, string>;
}

const maxParameters = 200;

interface ParameterPiece {
  index: number;
  isEncoded: boolean;
  value: string;
}

/** Parses a raw field. */
export function parseHeaderParameters(raw: string): HeaderParameters {
  const [value = '', ...rest] = splitOutsideQuotes(raw);
  const pieces = new Map<string, ParameterPiece[]>();
  for (const part of rest.slice(0, maxParameters)) {
    const equals = part.indexOf('=');
    if (equals < 1) continue;
    const match = /^([^*\s]+)(?:\*(\d{1,3}))?(\*)?$/.exec(part.slice(0, equals).trim().toLowerCase());
    if (!match) continue;
    const name = match[1]!;
    const list = pieces.get(name) ?? [];
    list.push({
      index: Number(match[2] ?? 0),
      isEncoded: match[3] === '*',
      value: unquote(part.slice(equals + 1).trim()),
    });
    pieces.set(name, list);
  }
  return {
    value: value.trim().toLowerCase(),
    params: new Map([...pieces].map(([name, list]) => [name, parameterText(list)])),
  };
}

function parameterText(pieces: ParameterPiece[]): string {
  // `name*=` takes precedence over the `name=` sent along for old mail readers.
  const encoded = pieces.filter((piece) => piece.isEncoded);
  const chosen = encoded.some((piece) => piece.index === 0) ? withoutPlainDuplicates(pieces) : pieces;
  const sorted = chosen.toSorted((one, other) => one.index - other.index);
  if (!sorted.some((piece) => piece.isEncoded)) {
    const text = sorted.map((piece) => piece.value).join('');
    return cleanText(decodeEncodedWords(decodeRawText(text)));
  }
  let charset = '';
  const bytes = sorted.map((piece, index) => {
    let text = piece.value;
    const head = index === 0 && piece.isEncoded ? /^([^']*)'[^']*'/.exec(text) : null;
    if (head) {
      charset = head[1]!;
      text = text.slice(head[0].length);
    }
    return piece.isEncoded ? percentDecoded(text) : Buffer.from(text, 'latin1');
  });
  return cleanText(decodeText(Buffer.concat(bytes), charset));
}

function withoutPlainDuplicates(pieces: ParameterPiece[]): ParameterPiece[] {
  const indexes = new Set(pieces.filter((piece) => piece.isEncoded).map((piece) => piece.index));
  return pieces.filter((piece) => piece.isEncoded || !indexes.has(piece.index));
}

function percentDecoded(text: string): Buffer {
  return Buffer.from(
    text.replace(/%([0-9a-fA-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

function splitOutsideQuotes(raw: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < raw.length; at++) {
    const character = raw[at];
    if (isQuoted && character === '\\') at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === ';' && !isQuoted) {
      parts.push(raw.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(raw.slice(start));
  return parts;
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value;
  const inner = value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value.slice(1);
  // A backslash may be the second byte of a Shift_JIS character; it escapes only a quote or another
  // backslash.
  return inner.replace(/\\(["\\])/g, '$1');
}
