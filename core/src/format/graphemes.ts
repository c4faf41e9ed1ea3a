// Counts and cuts text by grapheme.

// Latin text, kana, Chinese characters and full-width forms never combine with neighboring characters.
const plain = /^[\x20-\x7e\u3001-\u3020\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff60]*$/;
let segmenter: Intl.Segmenter | undefined;

/** Number of graphemes. Stops counting beyond `limit`, so that huge text costs no more than needed. */
export function countCharacters(text: string, limit = Number.POSITIVE_INFINITY): number {
  if (plain.test(text)) return text.length;
  let count = 0;
  for (const _ of graphemes(text)) {
    count += 1;
    if (count > limit) break;
  }
  return count;
}

/** The first graphemes of a text. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  if (plain.test(text.slice(0, count + 1))) return text.slice(0, count);
  let seen = 0;
  for (const part of graphemes(text)) {
    if (seen === count) return text.slice(0, part.index);
    seen += 1;
  }
  return text;
}

/** The last graphemes of a text. */
export function lastCharacters(text: string, count: number): string {
  const starts = Array.from(graphemes(text), ({ index }) => index);
  return text.slice(starts[Math.max(0, starts.length - count)] ?? text.length);
}

function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
