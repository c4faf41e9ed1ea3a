// Wraps text to a number of columns.
import type { Measure } from './measure.ts';

/** Breaks a line at spaces, and inside words that are too long. */
export function wrapText(text: string, maxWidth: number, measure: Measure): string[] {
  if (measure.width(text) <= maxWidth) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure.width(longer) <= maxWidth) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (measure.width(line) > maxWidth) {
      // A character wider than the available width is replaced by an ellipsis.
      const part = measure.cut(line, maxWidth + 1).slice(0, -1);
      lines.push(part || '…');
      line = line.slice(part.length || [...line][0]!.length);
    }
  }
  return line === '' ? lines : [...lines, line];
}
