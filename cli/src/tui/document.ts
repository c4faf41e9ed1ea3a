// An input as a YAML text for people: every field with what it takes, and mistakes marked above the field they are in.
import type { FieldMeta } from '@yagura/core/resource/field';
import type { Translate } from '@yagura/core/words/translate';
import { isMap, LineCounter, parseDocument, stringify } from 'yaml';
import type { Fields, Row } from '../resource/entry.ts';

export interface Mistake {
  /** Dotted path of the field; empty for the whole. */
  path: string;
  reason: string;
}

export interface DocumentWords {
  title: string;
  labelOf(field: string): string;
  t: Translate;
}

/** Mark of the lines that tell mistakes; they are taken out again when the text comes back. */
const mistakeMark = '#!';

/** The text to edit. With `typed`, a text that was refused, that one stays as it is and gets the mistakes. */
export function documentOf(
  fields: Fields,
  body: Row,
  mistakes: readonly Mistake[],
  words: DocumentWords,
  typed?: string,
): string {
  if (typed !== undefined) return withMistakes(typed, mistakes);
  const head = [words.title, words.t('tui.edit.head')].map((line) => `# ${line}\n`).join('');
  const lines = Object.entries(fields).map(([name, field]) => {
    const note = `# ${words.labelOf(name)}: ${noteOf(field, words.t)}\n`;
    const value = body[name];
    // A field that nobody has to fill stands as a comment until somebody does.
    if (value === undefined) return `${note}${field.required ? '' : '# '}${name}:\n`;
    return note + stringify({ [name]: value });
  });
  return `${head}\n${lines.join('\n')}`;
}

/** What a field takes, in a few words. */
export function noteOf(field: FieldMeta, t: Translate): string {
  const parts: string[] = [];
  if (field.options) parts.push(field.options.join(' | '));
  else if (field.item?.options) parts.push(`[${field.item.options.join(' | ')}]`);
  else parts.push(t(`tui.kind.${field.kind}`));
  const numeric = ['integer', 'number', 'seconds'].includes(field.kind);
  if (numeric && field.min !== undefined && field.max !== undefined) parts.push(`${field.min}–${field.max}`);
  if (field.required) parts.push(t('tui.kind.required'));
  if (field.fields) parts.push(`{${Object.keys(field.fields).join(', ')}}`);
  return parts.filter(Boolean).join('; ');
}

/** Reads a text back: the fields of the input, or what is wrong with it. */
export function readDocument(text: string, fields: Fields, t: Translate): { body: Row; mistakes: Mistake[] } {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const [broken] = document.errors;
  if (broken) {
    const line = counter.linePos(broken.pos[0]).line;
    return { body: {}, mistakes: [{ path: '', reason: `${line}: ${broken.message.split('\n')[0]}` }] };
  }
  let value: unknown;
  try {
    value = document.contents === null ? {} : document.toJS({ maxAliasCount: 20 });
  } catch (error) {
    // Anchors that are not there, or so many of them that the text would never end.
    return { body: {}, mistakes: [{ path: '', reason: (error as Error).message }] };
  }
  if (document.contents !== null && !isMap(document.contents)) {
    return { body: {}, mistakes: [{ path: '', reason: t('tui.edit.map') }] };
  }
  const body = { ...(value as Row) };
  const mistakes: Mistake[] = [];
  for (const name of Object.keys(body)) {
    const field = fields[name];
    if (!field)
      mistakes.push({
        path: name,
        reason: t('tui.edit.unknown', { fields: Object.keys(fields).join(', ') }),
      });
    // An empty value is none, unless none is a value.
    else if (body[name] === null && !field.nullable) delete body[name];
  }
  return { body, mistakes };
}

/** Puts each mistake above the line of its field, the rest on top; those of the round before are taken out. */
function withMistakes(text: string, mistakes: readonly Mistake[]): string {
  const lines = text.split('\n').filter((line) => !line.startsWith(mistakeMark));
  const told = mistakes.map((mistake) => ({ ...mistake, line: lineOf(lines, mistake.path) }));
  const said = ({ path, reason }: Mistake) =>
    `${mistakeMark} ${path ? `${path}: ` : ''}${reason.replace(/\s+/g, ' ')}`;
  return [
    ...told.filter(({ line }) => line < 0).map(said),
    ...lines.flatMap((line, index) => [...told.filter((mistake) => mistake.line === index).map(said), line]),
  ].join('\n');
}

/** The line where the first part of a path stands; -1 where it does not. */
function lineOf(lines: readonly string[], path: string): number {
  const [first = ''] = path.split(/[.[]/);
  if (first === '') return -1;
  return lines.findIndex((line) => line.replace(/^# /, '').startsWith(`${first}:`));
}
