// Maps the input fields to form lines with text values, and the texts back to a request body.
import type { FieldMeta } from '@yagura/core/resource/field';
import { traitsOf } from '@yagura/core/resource/field-kinds';
import type { Fields } from '@yagura/core/resource/resource-meta';
import { parseDuration } from '../../resource/input/parse-time.ts';
import type { Row } from '../../resource/meta/row.ts';
import type { FieldError } from './form-document.ts';

/** Text of each field by its dotted path, as typed. */
export type FieldTexts = Readonly<Record<string, string>>;

export interface FormField {
  path: string;
  name: string;
  meta: FieldMeta;
  text: string;
  /** Number of enclosing objects. */
  depth: number;
}

/** Edited with line breaks escaped as \n. */
const isMultiline = ({ kind }: FieldMeta) => traitsOf(kind).prose === 'lines';

/** The options of an enumeration or boolean, selected with a key instead of typed. */
export function fieldOptions({ kind, options, required }: FieldMeta): readonly string[] | undefined {
  if (kind === 'boolean') return required ? ['true', 'false'] : ['', 'true', 'false'];
  if (options) return required ? options : ['', ...options];
  return undefined;
}

/** Every field in input order, including nested fields and those of the selected variant. */
export function formFields(fields: Fields, fieldTexts: FieldTexts, prefix = '', depth = 0): FormField[] {
  return Object.entries(fields).flatMap(([name, field]): FormField[] => {
    const path = prefix + name;
    const innerFields = nestedFields(field, fields, fieldTexts, prefix);
    if (innerFields) return formFields(innerFields, fieldTexts, `${path}.`, depth + 1);
    return [
      { path, name, meta: field, text: fieldTexts[path] ?? formatFieldValue(field.default, field), depth },
    ];
  });
}

/** The texts of the current values or defaults. */
export function toFieldTexts(fields: Fields, row: Row, prefix = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
    const path = prefix + name;
    const value = row[name] ?? field.default;
    const innerFields = field.by ? field.variants?.[String(row[field.by] ?? '')] : field.fields;
    if (innerFields) Object.assign(found, toFieldTexts(innerFields, (value ?? {}) as Row, `${path}.`));
    else if (value !== undefined) found[path] = formatFieldValue(value, field);
  }
  return found;
}

/**
 * Converts the texts to a body, and returns those that are invalid. The parser callback reads structured
 * values.
 */
export function parseFieldTexts(
  fields: Fields,
  fieldTexts: FieldTexts,
  parseNested: (text: string) => unknown,
  prefix = '',
): { body: Row; errors: FieldError[] } {
  const body: Row = {};
  const errors: FieldError[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const path = prefix + name;
    const innerFields = nestedFields(field, fields, fieldTexts, prefix);
    if (innerFields) {
      const nested = parseFieldTexts(innerFields, fieldTexts, parseNested, `${path}.`);
      errors.push(...nested.errors);
      if (field.required || Object.keys(nested.body).length > 0) body[name] = nested.body;
      continue;
    }
    try {
      const value = parseFieldValue(
        fieldTexts[path] ?? formatFieldValue(field.default, field),
        field,
        parseNested,
      );
      if (value !== undefined) body[name] = value;
    } catch (error) {
      errors.push({ path, reason: (error as Error).message.split('\n')[0]! });
    }
  }
  return { body, errors };
}

function nestedFields(
  field: FieldMeta,
  fields: Fields,
  fieldTexts: FieldTexts,
  prefix: string,
): Fields | undefined {
  if (!field.by) return field.fields;
  const chosen =
    fieldTexts[prefix + field.by] ?? formatFieldValue(fields[field.by]?.default, fields[field.by]);
  return field.variants?.[chosen] ?? (field.variants ? {} : undefined);
}

function formatFieldValue(value: unknown, field: FieldMeta | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string' && field && isMultiline(field))
    return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  if (typeof value === 'string' && field?.kind !== 'json') return value;
  return typeof value === 'object' || field?.kind === 'json' ? JSON.stringify(value) : String(value);
}

function parseFieldValue(text: string, field: FieldMeta, parseNested: (text: string) => unknown): unknown {
  const { written } = traitsOf(field.kind);
  const isText = written === 'text' || written === 'secret';
  if (text === '') {
    if (field.nullable) return null;
    return isText && field.default !== undefined && !field.options ? '' : undefined;
  }
  if (isMultiline(field))
    return text.replace(/\\(\\|n)/g, (_all, letter: string) => (letter === 'n' ? '\n' : '\\'));
  if (isText) return text;
  if (written === 'boolean') return text === 'true';
  const seconds = field.kind === 'seconds' ? parseDuration(text.trim()) : undefined;
  if (seconds !== undefined) return seconds;
  if (written === 'number') {
    // An invalid number is sent as typed, so that the server explains the error.
    const value = Number(text);
    return text.trim() !== '' && Number.isFinite(value) ? value : text;
  }
  return parseNested(text);
}
