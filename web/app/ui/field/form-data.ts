// Form fields on the wire: how inputs are named after the value they hold, and how a posted form becomes that value again.
//
// `a.b`          member b of the object a; `a.0` the first row of the list a
// `a.$list`      present once for every drawn list, so that an empty list can be told from one that was not asked for
// `a.$null`      "true" if the choice that null stands for was made instead of listing something in `a`
// `a.0.$key`     key of the first row of a key-values field, `a.0.$value` its value; `a.$list` as above
// `a.$unit`      seconds in one unit of the number typed into `a` (seconds fields)
// `a.$zone`      IANA zone of the wall-clock time typed into `a` (date-time fields)
// `a.$shown`     the instant that a form showed in `a`; kept unless another time was typed (date-time fields)
// `a.$json`      the whole value of `a` as JSON text, written by an editor of its own; wins over everything else
//
// A value that cannot be read (a word in a number field, broken JSON) is kept as typed, so that the server names its field.
import { readFieldDateTime } from '@yagura/core/format/date-time';
import type { FieldKind, FieldMeta } from '@yagura/core/resource/field';

/** Returns the dotted name of a field's member. */
export const memberInputName = (name: string, member: string | number) =>
  name ? `${name}.${member}` : `${member}`;
export const listMarkerName = (name: string) => `${name}.$list`;
export const nullInputName = (name: string) => `${name}.$null`;
export const keyInputName = (name: string, row: number) => `${name}.${row}.$key`;
export const valueInputName = (name: string, row: number) => `${name}.${row}.$value`;
export const unitInputName = (name: string) => `${name}.$unit`;
export const zoneInputName = (name: string) => `${name}.$zone`;
export const shownInputName = (name: string) => `${name}.$shown`;
export const jsonInputName = (name: string) => `${name}.$json`;

/** Maximum row index; a larger form is not one of ours. */
const maxRows = 10_000;
/** Maximum nesting depth. */
const maxDepth = 16;

/** Units of a duration input in seconds, largest first. */
export const secondUnits = [86_400, 3600, 60, 1] as const;

/**
 * Parses a posted form according to the field metadata. Fields that the form does not contain are left out.
 */
export function readForm(form: FormData, fields: Record<string, FieldMeta>): Record<string, unknown> {
  return readFields(indexForm(form), '', fields, 0);
}

interface FormIndex {
  values: Map<string, string>;
  /** Row numbers and members below each dotted prefix. */
  rows: Map<string, Set<number>>;
}

function indexForm(form: FormData): FormIndex {
  const values = new Map<string, string>();
  const rows = new Map<string, Set<number>>();
  for (const [name, value] of form) {
    if (typeof value !== 'string') continue;
    // The last value wins: a checked checkbox follows its hidden "false".
    values.set(name, value);
    for (const match of name.matchAll(/\.(\d{1,5})(?=\.|$)/g)) {
      const prefix = name.slice(0, match.index);
      const row = Number(match[1]);
      if (row >= maxRows) continue;
      const known = rows.get(prefix);
      if (known) known.add(row);
      else rows.set(prefix, new Set([row]));
    }
  }
  return { values, rows };
}

function readFields(
  index: FormIndex,
  prefix: string,
  fields: Record<string, FieldMeta>,
  depth: number,
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = readField(index, memberInputName(prefix, name), field, depth);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

function readField(index: FormIndex, name: string, field: FieldMeta, depth: number): unknown {
  const json = index.values.get(jsonInputName(name));
  if (json !== undefined) return json.trim() === '' ? emptyValueOf(field) : parseJson(json);
  if (depth > maxDepth) return undefined;
  switch (field.kind) {
    case 'list':
      return readList(index, name, field, depth);
    case 'key-values':
      return readKeyValues(index, name);
    case 'object':
      return omitIfEmpty(readFields(index, name, field.fields ?? {}, depth + 1));
    case 'variant':
      return readVariant(index, name, field, depth);
  }
  const text = index.values.get(name);
  return text === undefined ? undefined : scalarReaders[field.kind]({ index, name, field, text });
}

type CompoundKind = 'list' | 'key-values' | 'object' | 'variant';

interface PostedText {
  index: FormIndex;
  name: string;
  field: FieldMeta;
  text: string;
}

const readProse = ({ field, text }: PostedText) =>
  // An empty string is a value unless the field treats it as missing.
  text === '' && (field.nullable || (field.min ?? 0) > 0) ? emptyValueOf(field) : text;
const readLines = (posted: PostedText) => {
  const value = readProse(posted);
  return typeof value === 'string' ? value.replace(/\r\n/g, '\n') : value;
};
const readTyped = ({ field, text }: PostedText) => (text === '' ? emptyValueOf(field) : text);
/** Reads an input in which blanks mean that nothing was typed. */
const unlessBlank =
  (read: (posted: PostedText) => unknown) =>
  (posted: PostedText): unknown =>
    posted.text.trim() === '' ? emptyValueOf(posted.field) : read(posted);

const readNumberText = unlessBlank(({ text }) => readNumber(text));

const scalarReaders: Record<Exclude<FieldKind, CompoundKind>, (posted: PostedText) => unknown> = {
  id: readTyped,
  text: readProse,
  'long-text': readLines,
  template: readLines,
  email: readTyped,
  url: readTyped,
  choice: readTyped,
  reference: readTyped,
  secret: readTyped,
  rrule: readTyped,
  'time-zone': readTyped,
  integer: readNumberText,
  number: readNumberText,
  bytes: readNumberText,
  seconds: unlessBlank(({ index, name, text }) => {
    const inputValue = readNumber(text);
    const unit = Number(index.values.get(unitInputName(name)) ?? 1);
    if (typeof inputValue === 'string' || !(secondUnits as readonly number[]).includes(unit))
      return inputValue;
    return inputValue * unit;
  }),
  boolean: ({ field, text }) =>
    text === ''
      ? emptyValueOf(field)
      : text === 'true' || text === 'on'
        ? true
        : text === 'false'
          ? false
          : text,
  date: unlessBlank(({ text }) => text.trim()),
  'date-time': unlessBlank(({ index, name, text }) => {
    const zone = index.values.get(zoneInputName(name)) ?? 'UTC';
    return readFieldDateTime(text, zone, index.values.get(shownInputName(name))) ?? text;
  }),
  json: unlessBlank(({ text }) => parseJson(text)),
};

/** Value of an empty input: null if nullable, else the default if there is one, else undefined. */
function emptyValueOf(field: FieldMeta): unknown {
  if (field.nullable) return null;
  return field.default;
}

function readList(
  index: FormIndex,
  name: string,
  field: FieldMeta,
  depth: number,
): unknown[] | null | undefined {
  if (field.nullable && index.values.get(nullInputName(name)) === 'true') return null;
  const rows = rowNumbers(index, name);
  if (rows.length === 0 && !index.values.has(listMarkerName(name))) return undefined;
  const item = field.item ?? { kind: 'text', required: true, nullable: false };
  return rows.map((row) => {
    const value = readField(index, memberInputName(name, row), item, depth + 1);
    // Empty rows are kept, so that the row number in a server error is the one that the user sees.
    return value === undefined ? (item.kind === 'object' ? {} : '') : value;
  });
}

function readKeyValues(index: FormIndex, name: string): Record<string, string> | undefined {
  const rows = rowNumbers(index, name);
  if (rows.length === 0 && !index.values.has(listMarkerName(name))) return undefined;
  const pairs: [string, string][] = [];
  for (const row of rows) {
    const key = index.values.get(keyInputName(name, row)) ?? '';
    const value = index.values.get(valueInputName(name, row)) ?? '';
    if (key !== '' || value !== '') pairs.push([key, value]);
  }
  return Object.fromEntries(pairs);
}

function readVariant(index: FormIndex, name: string, field: FieldMeta, depth: number): unknown {
  const parent = name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : '';
  const picked = index.values.get(memberInputName(parent, field.by ?? '')) ?? '';
  const shape = field.variants && Object.hasOwn(field.variants, picked) ? field.variants[picked] : undefined;
  if (!shape) return undefined;
  return readFields(index, name, shape, depth + 1);
}

function rowNumbers(index: FormIndex, name: string): number[] {
  return [...(index.rows.get(name) ?? [])].sort((a, b) => a - b);
}

function omitIfEmpty(value: Record<string, unknown>): Record<string, unknown> | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}

/** Parses a number in plain notation; anything else stays a string. */
function readNumber(text: string): number | string {
  const trimmed = text.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(trimmed)) return text;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
