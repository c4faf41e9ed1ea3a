// The lines of a sheet in the form that was chosen: fields, or the item as it came, as YAML or JSON.
import { stringify } from 'yaml';
import type { Row } from '../../resource/meta/resource-meta.ts';
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

/** Characters of a line at most: a longer one goes on in the next, so that all of it can be scrolled to. */
const maxLineLength = 400;
/** Lines of a text at most. */
const maxLines = 2000;

/** Text of several lines as lines of a sheet. */
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
