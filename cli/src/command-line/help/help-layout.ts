// Wraps help to the terminal width, including languages without spaces.
import type { Help } from 'commander';
import { createMeasure, type Measure } from '../../terminal/measure.ts';
import { wrapText } from '../../terminal/wrap-text.ts';

/** With fewer columns than this left beside a flag, its description is printed below it. */
const minDescriptionWidth = 24;
const indent = '  ';

/**
 * Counts wide characters as two columns by Unicode block: accurate enough for help, without the exact width
 * tables.
 */
const approximateMeasure: Measure = createMeasure(
  (text) => {
    let width = 0;
    for (const character of text.replace(/\x1b\[\d+m/g, ''))
      width +=
        /[\u1100-\u115f\u2026\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/.test(
          character,
        )
          ? 2
          : 1;
    return width;
  },
  (text) => [...text],
);

/** Options for `configureHelp`: the width-dependent parts of commander's help. */
export function helpLayout(
  columns: number,
): Pick<Help, 'displayWidth' | 'boxWrap' | 'formatItem' | 'styleUsage'> {
  return {
    displayWidth: approximateMeasure.width,
    boxWrap: (text, width) => wrapLines(text, width),
    formatItem: (term, termWidth, description) => itemText(term, termWidth, description, columns),
    // The usage follows its title, on the same line when it fits.
    styleUsage: (text) => wrapLines(text, Math.max(1, columns - 10)).replaceAll('\n', `\n${indent}`),
  };
}

/** Wraps each line to the given number of columns; continuation lines keep the indentation. */
export function wrapLines(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const [lead = ''] = /^ */.exec(line) ?? [];
      const parts = wrapText(line.slice(lead.length), Math.max(1, columns - lead.length), approximateMeasure);
      return parts.map((part) => lead + part);
    })
    .join('\n');
}

function itemText(term: string, termWidth: number, description: string, columns: number): string {
  const beside = columns - termWidth - 4;
  const foldDescription = (maxWidth: number, lead: string) =>
    wrapLines(description, maxWidth).split('\n').join(`\n${lead}`);
  if (beside < minDescriptionWidth) {
    const lead = indent.repeat(3);
    const head = wrapLines(`${indent}${term}`, columns);
    return description ? `${head}\n${lead}${foldDescription(columns - lead.length, lead)}` : head;
  }
  const lead = ' '.repeat(termWidth + 4);
  if (!description) return indent + term;
  const gap = ' '.repeat(termWidth - approximateMeasure.width(term) + 2);
  return `${indent}${term}${gap}${foldDescription(beside, lead)}`;
}
