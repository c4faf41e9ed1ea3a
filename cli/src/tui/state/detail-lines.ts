// Lines of a detail view in the selected format: fields, YAML or JSON.
import { stringify } from 'yaml';
import type { Row } from '../../resource/meta/row.ts';
import { cleanText } from '../../terminal/clean.ts';
import type { DetailLine, DetailView } from './state.ts';

const lineCache: Record<'yaml' | 'json', WeakMap<Row, readonly DetailLine[]>> = {
  yaml: new WeakMap(),
  json: new WeakMap(),
};

export function detailLines({ format, row, detail }: DetailView): readonly DetailLine[] {
  if (format === 'fields' || !row) return detail?.lines ?? [];
  const known = lineCache[format].get(row);
  if (known) return known;
  const text = format === 'yaml' ? stringify(row) : JSON.stringify(row, null, 2);
  const lines = textLines(text, format, 0);
  lineCache[format].set(row, lines);
  return lines;
}

/** Maximum characters per line; longer lines wrap, so that all text can be reached by scrolling. */
const maxLineLength = 400;
/** Maximum lines of a text. */
const maxLines = 2000;

/** Splits a multi-line text into detail lines. */
export function textLines(text: string, key: string, depth: number): DetailLine[] {
  return cleanText(text)
    .trimEnd()
    .split('\n')
    .slice(0, maxLines)
    .flatMap((line) =>
      line.length <= maxLineLength ? [line] : (line.match(new RegExp(`.{1,${maxLineLength}}`, 'gu')) ?? []),
    )
    .map((line, index) => ({ key: `${key}:${index}`, depth, text: line }));
}
