// Measures text in terminal columns, including wide characters; the width tables load only when needed.

export interface Measure {
  width(text: string): number;
  /** The text, or as much as fits with a trailing ellipsis. */
  cut(text: string, columns: number): string;
  /** Padded or cut to exactly that many columns. */
  fit(text: string, columns: number, side?: 'left' | 'right'): string;
}

/** Limits of the width cache: number of texts, and length of a cached text. */
const maxCachedWidths = 10_000;
const maxCachedLength = 1000;

const plainPattern = /^[\x20-\x7e]*$/;

/** Returns a measure for these texts: fast when all are ASCII, otherwise by grapheme. */
export async function measureFor(texts: Iterable<string>): Promise<Measure> {
  for (const text of texts) if (!plainPattern.test(text)) return wideMeasure();
  return createMeasure(
    (text) => text.length,
    (text) => [...text],
  );
}

/** Returns a measure that is correct for any text. */
export async function wideMeasure(): Promise<Measure> {
  const { wideWidth } = await import('./wide-width.ts');
  const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
  const cache = new Map<string, number>();
  const width = (text: string) => {
    if (plainPattern.test(text)) return text.length;
    const found = cache.get(text) ?? wideWidth(text);
    // The same texts are measured again in every frame.
    if (cache.size >= maxCachedWidths) cache.clear();
    if (text.length < maxCachedLength) cache.set(text, found);
    return found;
  };
  return createMeasure(width, (text) =>
    plainPattern.test(text) ? [...text] : Array.from(segmenter.segment(text), (part) => part.segment),
  );
}

/** Builds a measure from a width function and a function that splits a text into graphemes. */
export function createMeasure(width: (text: string) => number, split: (text: string) => string[]): Measure {
  const cut = (text: string, columns: number) => {
    if (text.length <= columns && width(text) <= columns) return text;
    // Graphemes have zero or more columns, so only a prefix of a long text is measured.
    if (width(text.slice(0, columns * 16)) <= columns && text.length <= columns * 16) return text;
    if (columns <= 0) return '';
    let kept = '';
    let used = 0;
    for (const part of split(text.slice(0, columns * 16))) {
      const size = width(part);
      if (used + size > columns - 1) break;
      kept += part;
      used += size;
    }
    return `${kept}…`;
  };
  return {
    width,
    cut,
    fit(text, columns, side = 'left') {
      const shown = cut(text, columns);
      const gap = ' '.repeat(Math.max(0, columns - width(shown)));
      return side === 'left' ? shown + gap : gap + shown;
    },
  };
}
