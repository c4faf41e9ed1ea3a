// From the JSON Schema (2020-12) of an operator, condition or task parameter to the fields of a form, as plain JSON.

import type { Translate } from '../words/translate.ts';
import { compilePattern, PatternError } from './pattern.ts';
import { refusalText } from './refusal.ts';
import type { SchemaField, SchemaOption } from './schema-field-shape.ts';
import { checkField } from './schema-value.ts';
import { wideTimeSeconds } from './wide-time.ts';

/** A JSON Schema as it arrives: any object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema cannot be asked for or can never be met; `place` is the dotted path of the keyword at fault. */
export class SchemaError extends Error {
  readonly place: string;

  constructor(place: string, reason: string) {
    super(`${place === '' ? 'schema' : place}: ${reason}`);
    this.name = 'SchemaError';
    this.place = place;
  }
}

const limits = { depth: 8, fields: 200, options: 1000 } as const;
const knownFormats = new Set(['email', 'uri', 'date', 'time', 'date-time', 'ipv4']);
const known = new WeakMap<object, SchemaField>();

/** The field of a schema; an object's own fields are its `fields`. Keywords without meaning here are ignored. Throws SchemaError. */
export function schemaField(schema: unknown): SchemaField {
  if (!isObject(schema)) throw new SchemaError('', 'is no object');
  let field = known.get(schema);
  if (!field) {
    field = read(schema, '', true, '', 0);
    known.set(schema, field);
  }
  return field;
}

/** Checks a value against a schema and fills in defaults. Throws SchemaError for a schema that makes no field. */
export function checkValue(
  schema: unknown,
  value: unknown,
  t: Translate,
): { value: unknown } | { invalidParams: { name: string; reason: string }[] } {
  const checked = checkField(schemaField(schema), value);
  if ('value' in checked) return checked;
  return {
    invalidParams: checked.refused.map(({ name, refusal }) => ({ name, reason: refusalText(refusal, t) })),
  };
}

function read(schema: unknown, name: string, required: boolean, place: string, depth: number): SchemaField {
  if (!isObject(schema)) throw new SchemaError(place, schema === false ? 'allows no value' : 'is no object');
  if (depth > limits.depth) throw new SchemaError(place, `is nested deeper than ${limits.depth} levels`);
  const types = typesOf(schema, place);
  const nullable = types.includes('null');
  const field: SchemaField = {
    name,
    required,
    ...(nullable ? { nullable } : {}),
    ...textMember(schema, 'title', place),
    ...textMember(schema, 'description', place),
    ...ownMembers(
      schema,
      types.filter((type) => type !== 'null'),
      place,
      depth,
    ),
  };
  checkEnds(field, place);
  if (schema.default === undefined) return field;
  const found = checkField({ ...field, required: true }, schema.default);
  if ('refused' in found) throw new SchemaError(join(place, 'default'), 'does not meet the schema');
  return { ...field, default: schema.default };
}

type OwnMembers = Omit<SchemaField, 'name' | 'required'>;

function ownMembers(schema: JsonSchema, types: string[], place: string, depth: number): OwnMembers {
  const options = optionsOf(schema, place);
  if (options) return options;
  const type = types[0];
  if (types.length !== 1)
    throw new SchemaError(join(place, 'type'), 'must name exactly one type besides null');
  switch (type) {
    case 'string':
      return stringMembers(schema, place);
    case 'number':
    case 'integer':
      return numberMembers(schema, type, place);
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return arrayMembers(schema, place, depth);
    case 'object':
      return objectMembers(schema, place, depth);
    default:
      throw new SchemaError(join(place, 'type'), `${JSON.stringify(type)} is unknown`);
  }
}

/** `enum`, `const`, or `oneOf`/`anyOf` whose members are all constants with titles. */
function optionsOf(schema: JsonSchema, place: string): OwnMembers | undefined {
  if (schema.const !== undefined)
    return { kind: 'enum', options: [optionOf(schema.const, join(place, 'const'))] };
  for (const keyword of ['oneOf', 'anyOf']) {
    const members = schema[keyword];
    if (!Array.isArray(members) || !members.every((member) => isObject(member) && 'const' in member))
      continue;
    const constants = members as { const: unknown; title?: unknown }[];
    const options = optionList(
      constants.map((member) => member.const),
      join(place, keyword),
    );
    const titles = constants.map((member, index) => String(member.title ?? options[index]));
    return { kind: 'enum', options, optionTitles: titles };
  }
  if (schema.enum === undefined) return undefined;
  if (!Array.isArray(schema.enum)) throw new SchemaError(join(place, 'enum'), 'is no list');
  const values = schema.enum.filter((value) => value !== null);
  return { kind: 'enum', options: optionList(values, join(place, 'enum')) };
}

function optionList(values: unknown[], place: string): SchemaOption[] {
  if (values.length === 0) throw new SchemaError(place, 'offers nothing');
  if (values.length > limits.options)
    throw new SchemaError(place, `offers more than ${limits.options} values`);
  return values.map((value) => optionOf(value, place));
}

function optionOf(value: unknown, place: string): SchemaOption {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new SchemaError(place, 'may hold text, numbers and booleans only');
}

function stringMembers(schema: JsonSchema, place: string): OwnMembers {
  if (schema.format === 'time-zone')
    return { kind: 'time-zone', ...(schema.utcOnly === true ? { utcOnly: true } : {}) };
  if (schema.format === 'wide-time' || 'minWideTime' in schema || 'maxWideTime' in schema) {
    return {
      kind: 'wide-time',
      ...wideTimeMember(schema, 'minWideTime', place),
      ...wideTimeMember(schema, 'maxWideTime', place),
    };
  }
  return {
    kind: 'string',
    ...member('min', count(schema, 'minLength', place)),
    ...member('max', count(schema, 'maxLength', place)),
    ...patternMember(schema, place),
    ...(knownFormats.has(schema.format as string) ? { format: schema.format as string } : {}),
  };
}

function numberMembers(schema: JsonSchema, type: 'number' | 'integer', place: string): OwnMembers {
  const multipleOf = number(schema, 'multipleOf', place);
  if (multipleOf !== undefined && multipleOf <= 0)
    throw new SchemaError(join(place, 'multipleOf'), 'must be above zero');
  return {
    kind: schema.format === 'json-number' ? 'json-number' : type,
    ...member('min', number(schema, 'minimum', place)),
    ...member('max', number(schema, 'maximum', place)),
    ...member('exclusiveMin', number(schema, 'exclusiveMinimum', place)),
    ...member('exclusiveMax', number(schema, 'exclusiveMaximum', place)),
    ...member('multipleOf', multipleOf),
  };
}

/** A list of plain text is one list-valued field; `minLength`, `maxLength` and `pattern` beside it are its own keywords. */
function arrayMembers(schema: JsonSchema, place: string, depth: number): OwnMembers {
  const items = schema.items ?? { type: 'string' };
  const item = read(items, '*', true, join(place, 'items'), depth + 1);
  const size = {
    ...member('min', count(schema, 'minItems', place) ?? count(schema, 'minLength', place)),
    ...member('max', count(schema, 'maxItems', place) ?? count(schema, 'maxLength', place)),
    ...(schema.uniqueItems === true ? { uniqueItems: true } : {}),
  };
  if (item.kind !== 'string' || item.format !== undefined || item.nullable)
    return { kind: 'array', ...size, item };
  return {
    kind: 'list',
    ...size,
    ...member('minItemLength', count(schema, 'minItemLength', place) ?? item.min),
    ...member('maxItemLength', count(schema, 'maxItemLength', place) ?? item.max),
    ...(schema.pattern === undefined ? member('pattern', item.pattern) : patternMember(schema, place)),
  };
}

function objectMembers(schema: JsonSchema, place: string, depth: number): OwnMembers {
  const properties = schema.properties ?? {};
  if (!isObject(properties)) throw new SchemaError(join(place, 'properties'), 'is no object');
  const names = Object.keys(properties);
  if (names.length > limits.fields)
    throw new SchemaError(join(place, 'properties'), `holds more than ${limits.fields} fields`);
  const required = schema.required ?? [];
  if (!Array.isArray(required)) throw new SchemaError(join(place, 'required'), 'is no list');
  const unknown = required.find((name) => !names.includes(name));
  if (names.length === 0 && isObject(schema.additionalProperties) && unknown === undefined) {
    return {
      kind: 'key-values',
      ...member('min', count(schema, 'minProperties', place)),
      ...member('max', count(schema, 'maxProperties', place)),
      item: read(schema.additionalProperties, '*', true, join(place, 'additionalProperties'), depth + 1),
    };
  }
  if (unknown !== undefined)
    throw new SchemaError(join(place, 'required'), `names ${JSON.stringify(unknown)}, which is no property`);
  return {
    kind: 'object',
    fields: names.map((name) =>
      read(properties[name], name, required.includes(name), join(place, `properties.${name}`), depth + 1),
    ),
    ...(schema.additionalProperties === false ? { closed: true } : {}),
  };
}

function typesOf(schema: JsonSchema, place: string): string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type) && type.every((name) => typeof name === 'string')) return type as string[];
  if (type === undefined) {
    if (isObject(schema.properties)) return ['object'];
    if (optionsOf(schema, place))
      return Array.isArray(schema.enum) && schema.enum.includes(null) ? ['null'] : [];
    throw new SchemaError(place, 'has no type');
  }
  throw new SchemaError(join(place, 'type'), 'is neither a name nor a list of names');
}

/** Ends that no value can lie between make a field that nobody can fill in. */
function checkEnds(field: SchemaField, place: string): void {
  const { min, max, exclusiveMin, exclusiveMax, minItemLength, maxItemLength, minWideTime, maxWideTime } =
    field;
  const crossed =
    above(min, max) ||
    above(minItemLength, maxItemLength) ||
    (minWideTime !== undefined &&
      maxWideTime !== undefined &&
      above(wideTimeSeconds(minWideTime), wideTimeSeconds(maxWideTime))) ||
    (exclusiveMin !== undefined &&
      ((max !== undefined && exclusiveMin >= max) ||
        (exclusiveMax !== undefined && exclusiveMin >= exclusiveMax))) ||
    (exclusiveMax !== undefined && min !== undefined && min >= exclusiveMax);
  if (crossed) throw new SchemaError(place, 'its lower end lies above its upper end');
  if (field.kind !== 'integer') return;
  const low = Math.max(
    min ?? -Infinity,
    exclusiveMin === undefined ? -Infinity : Math.floor(exclusiveMin) + 1,
  );
  const high = Math.min(max ?? Infinity, exclusiveMax === undefined ? Infinity : Math.ceil(exclusiveMax) - 1);
  if (Math.ceil(low) > Math.floor(high)) throw new SchemaError(place, 'no integer lies between its ends');
}

function above(low: number | undefined, high: number | undefined): boolean {
  return low !== undefined && high !== undefined && low > high;
}

function number(schema: JsonSchema, keyword: string, place: string): number | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new SchemaError(join(place, keyword), 'is no number');
  return value;
}

function count(schema: JsonSchema, keyword: string, place: string): number | undefined {
  const value = number(schema, keyword, place);
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return value;
  throw new SchemaError(join(place, keyword), 'is no whole number from zero on');
}

function patternMember(schema: JsonSchema, place: string): { pattern?: string } {
  const { pattern } = schema;
  if (pattern === undefined) return {};
  if (typeof pattern !== 'string') throw new SchemaError(join(place, 'pattern'), 'is no text');
  try {
    compilePattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw new SchemaError(join(place, 'pattern'), error.message);
    throw error;
  }
  return { pattern };
}

function wideTimeMember(
  schema: JsonSchema,
  keyword: 'minWideTime' | 'maxWideTime',
  place: string,
): Partial<SchemaField> {
  const value = schema[keyword];
  if (value === undefined) return {};
  if (typeof value !== 'string' || wideTimeSeconds(value) === undefined) {
    throw new SchemaError(join(place, keyword), 'is no wide time');
  }
  return { [keyword]: value };
}

function textMember(
  schema: JsonSchema,
  keyword: 'title' | 'description',
  place: string,
): Partial<SchemaField> {
  const value = schema[keyword];
  if (value === undefined) return {};
  if (typeof value !== 'string') throw new SchemaError(join(place, keyword), 'is no text');
  return { [keyword]: value };
}

function member<K extends keyof SchemaField>(
  name: K,
  value: SchemaField[K] | undefined,
): Partial<SchemaField> {
  return value === undefined ? {} : { [name]: value };
}

function join(place: string, keyword: string): string {
  return place === '' ? keyword : `${place}.${keyword}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
