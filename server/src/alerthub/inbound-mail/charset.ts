// Decodes text of mails in the charsets that Japanese senders use, under their many names.
import { isAscii } from 'node:buffer';

/** Charset names used by senders, mapped to WHATWG names. For ambiguous names the charset is guessed. */
const charsetAliases: Record<string, string> = {
  cp932: 'shift_jis',
  ms932: 'shift_jis',
  'windows-31j': 'shift_jis',
  'x-ms-cp932': 'shift_jis',
  'x-sjis': 'shift_jis',
  'shift-jis': 'shift_jis',
  sjis: 'shift_jis',
  eucjp: 'euc-jp',
  'eucjp-ms': 'euc-jp',
  'euc-jp-ms': 'euc-jp',
  cp51932: 'euc-jp',
  ujis: 'euc-jp',
  'x-euc-jp': 'euc-jp',
  cp50220: 'iso-2022-jp',
  cp50221: 'iso-2022-jp',
  cp50222: 'iso-2022-jp',
  jis: 'iso-2022-jp',
  utf8: 'utf-8',
  'utf-8n': 'utf-8',
  cp65001: 'utf-8',
};

/** Names of 7-bit charsets; if there are bytes above, the name is wrong. */
const sevenBits = new Set([
  '',
  'us-ascii',
  'ascii',
  'ansi_x3.4-1968',
  '7bit',
  '8bit',
  'unknown-8bit',
  'default',
]);

/** Decodes bytes in the named charset, or the most likely one if they are invalid in it. */
export function decodeText(bytes: Uint8Array, charset = ''): string {
  const label = charset.trim().toLowerCase();
  const name =
    charsetAliases[label] ??
    (label.startsWith('iso-2022-jp') || label === 'csiso2022jp' ? 'iso-2022-jp' : label);
  if (sevenBits.has(name)) return guessCharset(bytes);
  if (name === 'iso-2022-jp') return decodeJis(bytes);
  return decodeStrict(bytes, name) ?? guessCharset(bytes);
}

const western = new TextDecoder('windows-1252');

function guessCharset(bytes: Uint8Array): string {
  if (hasEscape(bytes)) return decodeJis(bytes);
  const unicode = decodeStrict(bytes, 'utf-8');
  if (unicode !== undefined) return unicode;
  const euc = decodeStrict(bytes, 'euc-jp');
  const shift = decodeStrict(bytes, 'shift_jis');
  if (euc !== undefined && (shift === undefined || japanese(euc) >= japanese(shift))) return euc;
  return shift ?? western.decode(bytes);
}

/**
 * Scores how much a text looks like Japanese; half-width kana count against it, as wrongly decoded bytes
 * become those.
 */
function japanese(text: string): number {
  let score = 0;
  for (const character of text.slice(0, 4096)) {
    if (/[\u3040-\u30ff\u4e00-\u9fff]/.test(character)) score += 1;
    else if (/[\uff61-\uff9f]/.test(character)) score -= 1;
  }
  return score;
}

function decodeStrict(bytes: Uint8Array, name: string): string | undefined {
  const decoder = decoders.get(name) ?? makeDecoder(name);
  try {
    return decoder?.decode(bytes);
  } catch {
    // Invalid in this charset.
    return undefined;
  }
}

/** Cached: creating a decoder takes longer than decoding most mails. */
const decoders = new Map<string, TextDecoder>();

function makeDecoder(name: string): TextDecoder | undefined {
  try {
    const decoder = new TextDecoder(name, { fatal: true });
    decoders.set(name, decoder);
    return decoder;
  } catch {
    // Unknown charset.
    return undefined;
  }
}

const escapeByte = 0x1b;
const dollar = 0x24;
const parenthesis = 0x28;

/** Whether there is an escape sequence that selects a Japanese character set. */
function hasEscape(bytes: Uint8Array): boolean {
  // From the first one on byte by byte: a search for each costs more where there are many.
  for (let at = bytes.indexOf(escapeByte); at >= 0 && at < bytes.length; at++) {
    if (bytes[at] !== escapeByte) continue;
    const next = bytes[at + 1];
    if (next === dollar || (next === parenthesis && bytes[at + 2] !== 0x42)) return true;
  }
  return false;
}

const lenientDecoders = new TextDecoder('euc-jp');

/** Character sets of ISO-2022-JP, as numbers: an attacker's text may switch between them millions of times. */
const ascii = 1;
const kana = 2;
const kanji = 3;
const supplement = 4;

/** Character sets by the last byte of the escape sequence that selects them; those of `$` and `$(` differ in one. */
const setsAfterParenthesis = jisSets({ B: ascii, J: ascii, H: ascii, I: kana });
const setsAfterDollar = jisSets({ B: kanji, '@': kanji });
const setsAfterBoth = jisSets({ B: kanji, '@': kanji, D: supplement });

function jisSets(sets: Record<string, number>): Uint8Array {
  const table = new Uint8Array(256);
  for (const [last, set] of Object.entries(sets)) table[last.charCodeAt(0)] = set;
  return table;
}

/** Bytes between the escape at this place and the byte that names the set; 0 if no set is selected here. */
function jisEscapeLength(bytes: Uint8Array, at: number): number {
  const next = bytes[at + 1];
  if (next === parenthesis) return 1;
  if (next !== dollar) return 0;
  return bytes[at + 2] === parenthesis ? 2 : 1;
}

/** The set selected by an escape sequence of that length, or 0. */
function jisEscapeSet(bytes: Uint8Array, at: number, length: number): number {
  const last = at + length + 1;
  if (last >= bytes.length) return 0;
  const sets =
    length === 2 ? setsAfterBoth : bytes[at + 1] === dollar ? setsAfterDollar : setsAfterParenthesis;
  return sets[bytes[last]!]!;
}

/**
 * Decodes ISO-2022-JP with common extensions: half-width kana (by escape, by shift, or with the eighth bit),
 * JIS X 0212, and the NEC and IBM rows. Converts to EUC-JP first, which covers all of them.
 */
function decodeJis(bytes: Uint8Array): string {
  // A half-width kana takes two bytes, a kanji of the supplement three instead of two.
  const euc = Buffer.allocUnsafe(bytes.length * 2);
  let end = 0;
  let set = ascii;
  let shifted = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (set === ascii && !shifted && byte >= 0x20 && byte < 0x80) {
      euc[end++] = byte;
      continue;
    }
    if (byte === escapeByte) {
      const length = jisEscapeLength(bytes, at);
      const selected = length > 0 ? jisEscapeSet(bytes, at, length) : 0;
      if (selected > 0) {
        set = selected;
        at += length + 1;
        continue;
      }
    }
    if (byte === 0x0e || byte === 0x0f) {
      shifted = byte === 0x0e;
      continue;
    }
    // A line begins in ASCII, even if the last one did not switch back.
    if (byte === 0x0a || byte === 0x0d) {
      set = ascii;
      shifted = false;
    }
    const isKana = (shifted || set === kana) && byte >= 0x21 && byte <= 0x5f;
    if (isKana || (byte >= 0xa1 && byte <= 0xdf)) {
      euc[end++] = 0x8e;
      euc[end++] = byte | 0x80;
    } else if (set >= kanji && byte > 0x20 && byte < 0x7f && at + 1 < bytes.length) {
      if (set === supplement) euc[end++] = 0x8f;
      euc[end++] = byte | 0x80;
      euc[end++] = bytes[++at]! | 0x80;
    } else euc[end++] = byte;
  }
  const converted = euc.subarray(0, end);
  // Without Japanese characters, however many escapes there were: decoding EUC-JP takes many times as long.
  return isAscii(converted) ? converted.toString('latin1') : lenientDecoders.decode(converted);
}
