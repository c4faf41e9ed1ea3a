// The fields of an input as lines that are filled in on the screen: each with its text, and what the texts are as a body.
import type { FieldKind, FieldMeta } from '@yagura/core/resource/field';
import { numberKinds, textKinds } from '@yagura/core/resource/field-kinds';
import type { Fields, Row } from '../resource/entry.ts';
import type { Mistake } from './document.ts';

/** Text of each field by its dotted path, as it is typed. */
export type Texts = Readonly<Record<string, string>>;

export interface FormLine {
  path: string;
  name: string;
  meta: FieldMeta;
  text: string;
  /** Objects that it lies in. */
  depth: number;
}

/** Kinds whose texts are taken letter by letter, with line ends written as \n. */
const texts = new Set<FieldKind>(['long-text', 'template']);
const isText = ({ kind }: FieldMeta) => textKinds.has(kind) || kind === 'secret';

/** What has more than two values to choose from, or is on or off: changed by a key, not typed. */
export function optionsOf({ kind, options, required }: FieldMeta): readonly string[] | undefined {
  if (kind === 'boolean') return required ? ['true', 'false'] : ['', 'true', 'false'];
  if (options) return required ? options : ['', ...options];
  return undefined;
}

/** Every field in the order of the input, the parts of objects and of the variant that is chosen among them. */
export function formLines(fields: Fields, given: Texts, prefix = '', depth = 0): FormLine[] {
  return Object.entries(fields).flatMap(([name, field]): FormLine[] => {
    const path = prefix + name;
    const inner = innerOf(field, fields, given, prefix);
    if (inner) return formLines(inner, given, `${path}.`, depth + 1);
    return [{ path, name, meta: field, text: given[path] ?? textOf(field.default, field), depth }];
  });
}

/** The texts of what is there, or is usual. */
export function textsOf(fields: Fields, row: Row, prefix = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
    const path = prefix + name;
    const value = row[name] ?? field.default;
    const inner = field.by ? field.variants?.[String(row[field.by] ?? '')] : field.fields;
    if (inner) Object.assign(found, textsOf(inner, (value ?? {}) as Row, `${path}.`));
    else if (value !== undefined) found[path] = textOf(value, field);
  }
  return found;
}

/** What the texts say, and those that say nothing. `read` takes a text with brackets apart. */
export function bodyOf(
  fields: Fields,
  given: Texts,
  read: (text: string) => unknown,
  prefix = '',
): { body: Row; mistakes: Mistake[] } {
  const body: Row = {};
  const mistakes: Mistake[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const path = prefix + name;
    const inner = innerOf(field, fields, given, prefix);
    if (inner) {
      const part = bodyOf(inner, given, read, `${path}.`);
      mistakes.push(...part.mistakes);
      if (field.required || Object.keys(part.body).length > 0) body[name] = part.body;
      continue;
    }
    try {
      const value = valueOfText(given[path] ?? textOf(field.default, field), field, read);
      if (value !== undefined) body[name] = value;
    } catch (error) {
      mistakes.push({ path, reason: (error as Error).message.split('\n')[0]! });
    }
  }
  return { body, mistakes };
}

function innerOf(field: FieldMeta, fields: Fields, given: Texts, prefix: string): Fields | undefined {
  if (!field.by) return field.fields;
  const chosen = given[prefix + field.by] ?? textOf(fields[field.by]?.default, fields[field.by]);
  return field.variants?.[chosen] ?? (field.variants ? {} : undefined);
}

function textOf(value: unknown, field: FieldMeta | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string' && field && texts.has(field.kind))
    return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  if (typeof value === 'string' && field?.kind !== 'json') return value;
  return typeof value === 'object' || field?.kind === 'json' ? JSON.stringify(value) : String(value);
}

function valueOfText(text: string, field: FieldMeta, read: (text: string) => unknown): unknown {
  if (text === '') {
    if (field.nullable) return null;
    return isText(field) && field.default !== undefined && !field.options ? '' : undefined;
  }
  if (texts.has(field.kind))
    return text.replace(/\\(\\|n)/g, (_all, letter: string) => (letter === 'n' ? '\n' : '\\'));
  if (isText(field)) return text;
  if (field.kind === 'boolean') return text === 'true';
  if (numberKinds.has(field.kind)) {
    // What is no number goes as it is typed: the server says what is wrong with it.
    const value = Number(text);
    return text.trim() !== '' && Number.isFinite(value) ? value : text;
  }
  return read(text);
}
