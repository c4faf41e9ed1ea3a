// Converts an input to commented YAML for editing and back; errors are inserted above their fields.

import type { Translate } from '@yagura/core/i18n/translator';
import type { FieldMeta } from '@yagura/core/resource/field';
import { kindTraits } from '@yagura/core/resource/field-kinds';
import type { Fields } from '@yagura/core/resource/resource-meta';
import { isMap, LineCounter, parseDocument, stringify } from 'yaml';
import { parseDuration } from '../../resource/input/parse-time.ts';
import type { Row } from '../../resource/meta/row.ts';

export interface FieldError {
  /** Dotted path of the field; empty for the whole document. */
  path: string;
  reason: string;
}

export interface DocumentLabels {
  title: string;
  labelOf(field: string): string;
  t: Translate;
}

/** Prefix of error lines; they are removed when the text is read back. */
const errorMarker = '#!';

/** Returns the text to edit. Given a rejected text, returns that text with the errors inserted. */
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
    // Optional fields without a value are commented out.
    if (value === undefined) return `${note}${field.required ? '' : '# '}${name}:\n`;
    return note + stringify({ [name]: value });
  });
  return `${head}\n${lines.join('\n')}`;
}

/** Short description of the values a field accepts; a form also takes the names of items. */
export function fieldHint(field: FieldMeta, t: Translate, takesNames = false): string {
  const parts: string[] = [];
  if (field.options) parts.push(field.options.join(' | '));
  else if (field.item?.options) parts.push(`[${field.item.options.join(' | ')}]`);
  else if (takesNames && field.kind === 'reference' && !field.resourceBy)
    parts.push(t('tui.kind.reference-or-name'));
  else parts.push(t(`tui.kind.${field.kind}`));
  const numeric = kindTraits[field.kind].written === 'number';
  if (numeric && field.min !== undefined && field.max !== undefined) parts.push(`${field.min}–${field.max}`);
  if (field.required) parts.push(t('tui.kind.required'));
  if (field.fields) parts.push(`{${Object.keys(field.fields).join(', ')}}`);
  return parts.filter(Boolean).join('; ');
}

/** Parses an edited text: the input fields, or the errors in it. */
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
    // Undefined anchors, or so many aliases that the document would not terminate.
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
    // An empty value means not set, unless the field is nullable.
    else if (body[name] === null && !field.nullable) delete body[name];
    else body[name] = readDurations(body[name], field);
  }
  return { body, errors };
}

/** Durations such as `5m` as seconds; one that is not valid stays as typed, so that the server explains it. */
function readDurations(value: unknown, field: FieldMeta | undefined): unknown {
  if (field?.kind === 'seconds' && typeof value === 'string') return parseDuration(value.trim()) ?? value;
  if (Array.isArray(value)) return value.map((item) => readDurations(item, field?.item));
  if (value === null || typeof value !== 'object' || !field?.fields) return value;
  const { fields } = field;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, readDurations(part, fields[name])]),
  );
}

/** Inserts each error above the line of its field, the others at the top, and removes earlier ones. */
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

/** The line of the first path segment; -1 when it is missing. */
function findFieldLine(lines: readonly string[], path: string): number {
  const [first = ''] = path.split(/[.[]/);
  if (first === '') return -1;
  return lines.findIndex((line) => line.replace(/^# /, '').startsWith(`${first}:`));
}
