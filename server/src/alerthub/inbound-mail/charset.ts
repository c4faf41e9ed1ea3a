// Decodes text of mails in the charsets that Japanese senders use, under their many names.

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

type JisSet = 'ascii' | 'kanji' | 'kana' | 'more';

/** Character sets by the last byte of the escape sequence that selects them; those of `$` and `$(` differ in one. */
const setsAfterParenthesis = jisSets({ B: 'ascii', J: 'ascii', H: 'ascii', I: 'kana' });
const setsAfterDollar = jisSets({ B: 'kanji', '@': 'kanji' });
const setsAfterBoth = jisSets({ B: 'kanji', '@': 'kanji', D: 'more' });

function jisSets(sets: Record<string, JisSet>): ReadonlyMap<number, JisSet> {
  return new Map(Object.entries(sets).map(([last, set]) => [last.charCodeAt(0), set]));
}

/** The character set that the escape sequence at this place selects, and the bytes behind the escape. */
function readJisEscape(bytes: Uint8Array, at: number): { set: JisSet; length: number } | undefined {
  const isDollar = bytes[at + 1] === dollar;
  const isBoth = isDollar && bytes[at + 2] === parenthesis;
  const length = isBoth ? 3 : 2;
  const sets = isBoth ? setsAfterBoth : isDollar ? setsAfterDollar : setsAfterParenthesis;
  const set = sets.get(bytes[at + length] ?? 0);
  return set && { set, length };
}

/**
 * Decodes ISO-2022-JP with common extensions: half-width kana (by escape, by shift, or with the eighth bit),
 * JIS X 0212, and the NEC and IBM rows. Converts to EUC-JP first, which covers all of them.
 */
function decodeJis(bytes: Uint8Array): string {
  const euc = Buffer.allocUnsafe(bytes.length * 3);
  let end = 0;
  let set: JisSet = 'ascii';
  let shifted = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (set === 'ascii' && !shifted && byte >= 0x20 && byte < 0x80) {
      euc[end++] = byte;
      continue;
    }
    if (byte === escapeByte && (bytes[at + 1] === dollar || bytes[at + 1] === parenthesis)) {
      const found = readJisEscape(bytes, at);
      if (found) {
        set = found.set;
        at += found.length;
        continue;
      }
    }
    if (byte === 0x0e || byte === 0x0f) {
      shifted = byte === 0x0e;
      continue;
    }
    // A line begins in ASCII, even if the last one did not switch back.
    if (byte === 0x0a || byte === 0x0d) {
      set = 'ascii';
      shifted = false;
    }
    const isKana = (shifted || set === 'kana') && byte >= 0x21 && byte <= 0x5f;
    if (isKana || (byte >= 0xa1 && byte <= 0xdf)) {
      euc[end++] = 0x8e;
      euc[end++] = byte | 0x80;
    } else if ((set === 'kanji' || set === 'more') && byte > 0x20 && byte < 0x7f && at + 1 < bytes.length) {
      if (set === 'more') euc[end++] = 0x8f;
      euc[end++] = byte | 0x80;
      euc[end++] = bytes[++at]! | 0x80;
    } else euc[end++] = byte;
  }
  return lenientDecoders.decode(euc.subarray(0, end));
}
