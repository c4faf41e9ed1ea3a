// An input as a YAML text for people: every field with what it takes, and mistakes marked above the field they are in.

import type { Translate } from '@yagura/core/i18n/translator';
import type { FieldMeta } from '@yagura/core/resource/field';
import { isMap, LineCounter, parseDocument, stringify } from 'yaml';
import type { Fields, Row } from '../../resource/meta/resource-meta.ts';

export interface FieldError {
  /** Dotted path of the field; empty for the whole. */
  path: string;
  reason: string;
}

export interface DocumentLabels {
  title: string;
  labelOf(field: string): string;
  t: Translate;
}

/** Mark of the lines that tell mistakes; they are taken out again when the text comes back. */
const errorMarker = '#!';

/** The text to edit. With `typed`, a text that was refused, that one stays as it is and gets the mistakes. */
export function formatFormDocument(
  fields: Fields,
  body: Row,
  errors: readonly FieldError[],
  labels: DocumentLabels,
  typed?: string,
): string {
  if (typed !== undefined) return insertErrors(typed, errors);
  const head = [labels.title, labels.t('tui.edit.head')].map((line) => `# ${line}\n`).join('');
  const lines = Object.entries(fields).map(([name, field]) => {
    const note = `# ${labels.labelOf(name)}: ${fieldHint(field, labels.t)}\n`;
    const value = body[name];
    // A field that nobody has to fill stands as a comment until somebody does.
    if (value === undefined) return `${note}${field.required ? '' : '# '}${name}:\n`;
    return note + stringify({ [name]: value });
  });
  return `${head}\n${lines.join('\n')}`;
}

/** What a field takes, in a few words. */
export function fieldHint(field: FieldMeta, t: Translate): string {
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
export function parseFormDocument(
  text: string,
  fields: Fields,
  t: Translate,
): { body: Row; errors: FieldError[] } {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const [broken] = document.errors;
  if (broken) {
    const line = counter.linePos(broken.pos[0]).line;
    return { body: {}, errors: [{ path: '', reason: `${line}: ${broken.message.split('\n')[0]}` }] };
  }
  let value: unknown;
  try {
    value = document.contents === null ? {} : document.toJS({ maxAliasCount: 20 });
  } catch (error) {
    // Anchors that are not there, or so many of them that the text would never end.
    return { body: {}, errors: [{ path: '', reason: (error as Error).message }] };
  }
  if (document.contents !== null && !isMap(document.contents)) {
    return { body: {}, errors: [{ path: '', reason: t('tui.edit.map') }] };
  }
  const body = { ...(value as Row) };
  const errors: FieldError[] = [];
  for (const name of Object.keys(body)) {
    const field = fields[name];
    if (!field)
      errors.push({
        path: name,
        reason: t('tui.edit.unknown', { fields: Object.keys(fields).join(', ') }),
      });
    // An empty value is none, unless none is a value.
    else if (body[name] === null && !field.nullable) delete body[name];
  }
  return { body, errors };
}

/** Puts each mistake above the line of its field, the rest on top; those of the round before are taken out. */
function insertErrors(text: string, errors: readonly FieldError[]): string {
  const lines = text.split('\n').filter((line) => !line.startsWith(errorMarker));
  const errorsWithLine = errors.map((error) => ({ ...error, line: findFieldLine(lines, error.path) }));
  const formatError = ({ path, reason }: FieldError) =>
    `${errorMarker} ${path ? `${path}: ` : ''}${reason.replace(/\s+/g, ' ')}`;
  return [
    ...errorsWithLine.filter(({ line }) => line < 0).map(formatError),
    ...lines.flatMap((line, index) => [
      ...errorsWithLine.filter((error) => error.line === index).map(formatError),
      line,
    ]),
  ].join('\n');
}

/** The line where the first part of a path stands; -1 where it does not. */
function findFieldLine(lines: readonly string[], path: string): number {
  const [first = ''] = path.split(/[.[]/);
  if (first === '') return -1;
  return lines.findIndex((line) => line.replace(/^# /, '').startsWith(`${first}:`));
}
