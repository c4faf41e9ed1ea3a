// Checks values against the fields of a schema, and reads what was typed into a form; runs anywhere, without zod.
import { checkNumber, checkOneOf } from './comparison.ts';
import { isDate } from './date.ts';
import { isEmail } from './email.ts';
import { isIpv4 } from './ipv4.ts';
import { checkListSize } from './list-size.ts';
import { dropBlankItems, splitListText } from './list-text.ts';
import { isIntegerText, isJsonNumberText, isNumberText } from './number-text.ts';
import { checkPattern } from './pattern.ts';
import type { Refusal } from './refusal.ts';
import { isRfc3339 } from './rfc3339.ts';
import type { SchemaField } from './schema-field-shape.ts';
import { checkTextLength } from './text-length.ts';
import { isTime } from './time.ts';
import { isTimeZone, isUtcOffset } from './time-zone.ts';
import { isUrl } from './url.ts';
import { checkWideTime } from './wide-time.ts';

/** A refused place inside a value; `name` is its dotted path, '' for the value as a whole. */
export interface Refused {
  name: string;
  refusal: Refusal;
}

export type Checked = { value: unknown } | { refused: Refused[] };

/** Checks a value against a field. The given value is never changed; an absent one becomes the default or stays undefined. */
export function checkField(field: SchemaField, value: unknown): Checked {
  const refused: Refused[] = [];
  const result = check(field, value, '', refused);
  return refused.length > 0 ? { refused } : { value: result };
}

/**
 * Reads what was typed into a plain input: numbers, booleans and choices become themselves, a list is split at commas
 * without blank items, empty text is no value. Text that cannot be read so is refused; limits are left to checkField.
 */
export function readFieldText(field: SchemaField, text: string): { value: unknown } | { refusal: Refusal } {
  if (field.kind === 'list') return { value: dropBlankItems(splitListText(text)) };
  if (text === '') return { value: undefined };
  const typed = text.trim();
  switch (field.kind) {
    case 'number':
      return isNumberText(typed) ? { value: Number(typed) } : { refusal: { word: 'rule.number' } };
    case 'integer':
      return isIntegerText(typed) ? { value: Number(typed) } : { refusal: { word: 'rule.integer' } };
    case 'json-number':
      return isJsonNumberText(typed) ? { value: Number(typed) } : { refusal: { word: 'rule.jsonNumber' } };
    case 'boolean':
      if (typed !== 'true' && typed !== 'false') return { refusal: { word: 'rule.boolean' } };
      return { value: typed === 'true' };
    case 'enum': {
      const found = (field.options ?? []).find((option) => String(option) === text);
      return found === undefined ? { refusal: checkOneOf(text, field.options ?? [])! } : { value: found };
    }
    case 'array':
    case 'object':
    case 'key-values':
      try {
        return { value: JSON.parse(text) };
      } catch {
        return { refusal: { word: 'rule.json' } };
      }
    default:
      return { value: text };
  }
}

const formats: Record<string, { check: (text: string) => boolean; word: string }> = {
  email: { check: isEmail, word: 'rule.email' },
  uri: { check: isUrl, word: 'rule.url' },
  date: { check: isDate, word: 'rule.date' },
  time: { check: isTime, word: 'rule.time' },
  'date-time': { check: isRfc3339, word: 'rule.rfc3339' },
  ipv4: { check: isIpv4, word: 'rule.ipv4' },
};

function check(field: SchemaField, value: unknown, name: string, refused: Refused[]): unknown {
  const refuse = (refusal: Refusal | undefined): void => {
    if (refusal) refused.push({ name, refusal });
  };
  if (value === undefined && field.default !== undefined) return structuredClone(field.default);
  if (value === null && field.nullable) return null;
  if (value === undefined || value === null) {
    if (field.required) refuse({ word: field.kind === 'enum' ? 'rule.select' : 'rule.required' });
    else if (value === null) refuse({ word: typeWords[field.kind] });
    return value;
  }
  switch (field.kind) {
    case 'string':
    case 'time-zone':
    case 'wide-time':
      refuse(typeof value === 'string' ? checkText(field, value) : { word: 'rule.text' });
      return value;
    case 'number':
    case 'integer':
    case 'json-number':
      refuse(checkNumeric(field, value));
      return value;
    case 'boolean':
      if (typeof value !== 'boolean') refuse({ word: 'rule.boolean' });
      return value;
    case 'enum':
      refuse(checkOneOf(value, field.options ?? []));
      return value;
    case 'list':
    case 'array':
      if (!Array.isArray(value)) refuse({ word: 'rule.list' });
      else return checkItems(field, value, name, refused);
      return value;
    case 'object':
    case 'key-values':
      if (typeof value !== 'object' || Array.isArray(value)) refuse({ word: 'rule.object' });
      else return checkMembers(field, value as Record<string, unknown>, name, refused);
      return value;
  }
}

const typeWords: Record<SchemaField['kind'], string> = {
  string: 'rule.text',
  'time-zone': 'rule.timeZone',
  'wide-time': 'rule.wideTime',
  number: 'rule.number',
  integer: 'rule.integer',
  'json-number': 'rule.jsonNumber',
  boolean: 'rule.boolean',
  enum: 'rule.select',
  list: 'rule.list',
  array: 'rule.list',
  object: 'rule.object',
  'key-values': 'rule.object',
};

function checkText(field: SchemaField, text: string): Refusal | undefined {
  if (text === '') {
    // A schema that allows empty text outright says so with `minLength: 0`.
    if (field.required && field.min !== 0) return { word: 'rule.required' };
    if (field.kind === 'string' && field.min === undefined) return undefined;
  }
  if (field.kind === 'time-zone') {
    if (field.utcOnly) return isUtcOffset(text) ? undefined : { word: 'rule.utcOffset' };
    return isTimeZone(text) ? undefined : { word: 'rule.timeZone' };
  }
  if (field.kind === 'wide-time') return checkWideTime(text, field);
  const length = checkTextLength(text, field);
  if (length) return length;
  const format = field.format === undefined ? undefined : formats[field.format];
  if (format && !format.check(text)) return { word: format.word };
  return field.pattern === undefined ? undefined : checkPattern(text, field.pattern);
}

function checkNumeric(field: SchemaField, value: unknown): Refusal | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { word: typeWords[field.kind] };
  if (field.kind === 'integer' && !Number.isInteger(value)) return { word: 'rule.integer' };
  const outside = checkNumber(value, {
    minimum: field.min,
    maximum: field.max,
    exclusiveMinimum: field.exclusiveMin,
    exclusiveMaximum: field.exclusiveMax,
  });
  if (outside) return outside;
  if (field.multipleOf === undefined || isMultiple(value, field.multipleOf)) return undefined;
  return { word: 'rule.multipleOf', divisor: field.multipleOf };
}

/** 0.3 is a multiple of 0.1 for a person, though not for binary fractions. */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * Number.EPSILON * 4;
}

function checkItems(field: SchemaField, items: unknown[], name: string, refused: Refused[]): unknown[] {
  const size = checkListSize(items, field);
  if (size) {
    refused.push({ name, refusal: size });
    // The items of an oversized list are not worth the time.
    return items;
  }
  const item: SchemaField = field.item ?? {
    name: '*',
    kind: 'string',
    required: true,
    min: field.minItemLength ?? 0,
    max: field.maxItemLength,
    pattern: field.pattern,
  };
  const values = items.map((value, index) => check(item, value, join(name, String(index)), refused));
  const distinct = field.uniqueItems
    ? new Set(items.map((value) => JSON.stringify(value))).size
    : items.length;
  if (distinct < items.length) refused.push({ name, refusal: { word: 'rule.unique' } });
  return values;
}

function checkMembers(
  field: SchemaField,
  given: Record<string, unknown>,
  name: string,
  refused: Refused[],
): Record<string, unknown> {
  const members: [string, unknown][] = [];
  if (field.kind === 'key-values') {
    const keys = Object.keys(given);
    const size = checkListSize(keys, field);
    if (size) refused.push({ name, refusal: size });
    else
      for (const key of keys) members.push([key, check(field.item!, given[key], join(name, key), refused)]);
    return Object.fromEntries(members);
  }
  const fields = field.fields ?? [];
  for (const inner of fields) {
    const value = Object.hasOwn(given, inner.name) ? given[inner.name] : undefined;
    const found = check(inner, value, join(name, inner.name), refused);
    if (found !== undefined) members.push([inner.name, found]);
  }
  const names = new Set(fields.map((inner) => inner.name));
  for (const key of Object.keys(given)) {
    if (names.has(key)) continue;
    if (field.closed) refused.push({ name: join(name, key), refusal: { word: 'rule.unknownField' } });
    else members.push([key, given[key]]);
  }
  return Object.fromEntries(members);
}

function join(name: string, part: string): string {
  return name === '' ? part : `${name}.${part}`;
}
