// How many columns of a terminal a character takes.

/** East Asian Wide and Fullwidth (Unicode Standard Annex #11), as blocks. */
const wideBlocks =
  '\\u1100-\\u115f\\u2329\\u232a\\u2e80-\\u303e\\u3041-\\u3247\\u3250-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7a3' +
  '\\uf900-\\ufaff\\ufe10-\\ufe19\\ufe30-\\ufe6f\\uff01-\\uff60\\uffe0-\\uffe6\\u{16fe0}-\\u{18dff}' +
  '\\u{1aff0}-\\u{1b2ff}\\u{1f200}-\\u{1f2ff}\\u{20000}-\\u{3fffd}';
const wide = new RegExp(`^(?!\\p{Regional_Indicator})[${wideBlocks}\\p{Emoji_Presentation}]`, 'u');
/** Marks that are drawn over the character before, format characters, and vowels and finals of Hangul syllables. */
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]/u;
/** All characters before the first combining mark take one column. */
const firstMark = '\u0300';

/** Widths of the characters of one unit that were asked for, plus 1. */
const known = new Uint8Array(0x10000);

/** Columns of the first character of a text, which is printable: 0, 1 or 2. */
export function characterWidth(text: string): number {
  if (text < firstMark) return 1;
  const code = text.codePointAt(0)!;
  const found = known[code];
  if (found) return found - 1;
  const width = zeroWidth.test(text) ? 0 : wide.test(text) ? 2 : 1;
  known[code] = width + 1;
  return width;
}
