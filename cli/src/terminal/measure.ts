// How many columns text takes on a terminal, wide characters counted. What is needed for them loads when some occur.

export interface Measure {
  width(text: string): number;
  /** The text, or as much as fits into so many columns with an ellipsis at its end. */
  cut(text: string, columns: number): string;
  /** Filled up with spaces, or cut, to exactly so many columns. */
  fit(text: string, columns: number, side?: 'left' | 'right'): string;
}

/** Texts whose width is remembered, and how long such a text is at most. */
const maxCachedWidths = 10_000;
const maxCachedLength = 1000;

const plainPattern = /^[\x20-\x7e]*$/;

/** The measure for these texts: quick when all are plain ASCII, else by grapheme. */
export async function measureFor(texts: Iterable<string>): Promise<Measure> {
  for (const text of texts) if (!plainPattern.test(text)) return wideMeasure();
  return createMeasure(
    (text) => text.length,
    (text) => [...text],
  );
}

/** The measure that is right for any text. */
export async function wideMeasure(): Promise<Measure> {
  const { wideWidth } = await import('./wide-width.ts');
  const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
  const cache = new Map<string, number>();
  const width = (text: string) => {
    if (plainPattern.test(text)) return text.length;
    const found = cache.get(text) ?? wideWidth(text);
    // What is shown is measured again with every frame.
    if (cache.size >= maxCachedWidths) cache.clear();
    if (text.length < maxCachedLength) cache.set(text, found);
    return found;
  };
  return createMeasure(width, (text) =>
    plainPattern.test(text) ? [...text] : Array.from(segmenter.segment(text), (part) => part.segment),
  );
}

/** The measure that follows from the width of a text and its smallest parts. */
export function createMeasure(width: (text: string) => number, split: (text: string) => string[]): Measure {
  const cut = (text: string, columns: number) => {
    if (text.length <= columns && width(text) <= columns) return text;
    // No character is narrower than nothing: a long text is looked at only as far as it can reach.
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
