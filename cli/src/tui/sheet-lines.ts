// The lines of a sheet in the form that was chosen: fields, or the item as it came, as YAML or JSON.
import { stringify } from 'yaml';
import type { Row } from '../resource/entry.ts';
import { cleanText } from '../term/clean.ts';
import type { DetailLine, DetailView } from './state.ts';

const written: Record<'yaml' | 'json', WeakMap<Row, readonly DetailLine[]>> = {
  yaml: new WeakMap(),
  json: new WeakMap(),
};

export function linesOf({ form, row, detail }: DetailView): readonly DetailLine[] {
  if (form === 'fields' || !row) return detail?.lines ?? [];
  const known = written[form].get(row);
  if (known) return known;
  const text = form === 'yaml' ? stringify(row) : JSON.stringify(row, null, 2);
  const lines = textLines(text, form, 0);
  written[form].set(row, lines);
  return lines;
}

/** Characters of a line at most: a longer one goes on in the next, so that all of it can be scrolled to. */
const maxLength = 400;
/** Lines of a text at most. */
const max = 2000;

/** Text of several lines as lines of a sheet. */
export function textLines(text: string, key: string, depth: number): DetailLine[] {
  return cleanText(text)
    .trimEnd()
    .split('\n')
    .slice(0, max)
    .flatMap((line) =>
      line.length <= maxLength ? [line] : (line.match(new RegExp(`.{1,${maxLength}}`, 'gu')) ?? []),
    )
    .map((line, index) => ({ key: `${key}:${index}`, depth, text: line }));
}
