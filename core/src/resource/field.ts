// Field kinds: what a value means to a person. A zod piece says what is allowed; its kind says how to show and ask it.
import { z } from 'zod';
import { rruleLimits } from '../schedule/rrule.ts';
import { checkTextLength } from '../validation/text-length.ts';
import type { Violation } from '../validation/violation.ts';
import { toUtc } from './to-utc.ts';

export type Tone = 'neutral' | 'success' | 'warning' | 'danger' | 'info' | 'progress';

export type FieldKind =
  | 'id'
  | 'text'
  | 'long-text'
  | 'template'
  | 'email'
  | 'url'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'date-time'
  | 'seconds'
  | 'bytes'
  | 'reference'
  | 'list'
  | 'key-values'
  | 'object'
  | 'variant'
  | 'json'
  | 'secret'
  | 'rrule'
  | 'time-zone';

interface KindMeta {
  kind: FieldKind;
  /** `reference`: the name of the resource whose id this is. */
  resource?: string;
  /** `reference`: the sibling field that holds the name of the resource instead. */
  resourceBy?: string;
  /** `choice`: the tone of each value's badge. */
  tones?: Record<string, Tone>;
  /** `variant`: the sibling field whose value picks the shape, and the shapes. */
  by?: string;
  variants?: Record<string, z.ZodObject>;
  /** Most characters that a person sees, and the UTF-16 units they may take, where the schema counts characters. */
  max?: number;
  units?: number;
}

const kinds = new WeakMap<z.ZodType, KindMeta>();

/** Gives any zod piece a kind. The innermost marked piece of a wrapped schema counts. */
export function withKind<S extends z.ZodType>(
  kind: FieldKind,
  schema: S,
  meta: Omit<KindMeta, 'kind'> = {},
): S {
  kinds.set(schema, { kind, ...meta });
  return schema;
}

/** What one character that a person sees may take: joined emoji come near it, heaps of combining marks do not fit. */
const maxUnitsPerCharacter = 16;

/** Bounds a text by the characters that a person sees, and what they take in memory. */
function characters(kind: FieldKind, schema: z.ZodString, max: number): z.ZodString {
  const units = max * maxUnitsPerCharacter;
  const bounded = schema.check((context) => {
    const refusal: Violation | undefined =
      context.value.length > units
        ? { word: 'rule.maxLength', count: max }
        : checkTextLength(context.value, { max });
    if (refusal) context.issues.push({ code: 'custom', input: context.value, params: refusal });
  });
  const description = `At most ${max} characters as a person counts them.`;
  return withKind(kind, bounded.meta({ maxLength: units, description }), { max, units });
}

/** Display names are at most 30 characters (product limit). */
export const displayName = () => characters('text', z.string().trim().min(1), 30);
export const remarks = () => characters('long-text', z.string(), 2000).default('');
export const uuid = () => withKind('id', z.uuid());
export const text = (max = 255) => characters('text', z.string(), max);
export const requiredText = (max = 255) => characters('text', z.string().trim().min(1), max);
export const longText = (max = 65_536) => withKind('long-text', z.string().max(max));
/** A Mustache template. */
export const template = (max = 65_536) => withKind('template', z.string().max(max));
export const email = () => withKind('email', z.email().max(254));
export const url = () => withKind('url', z.url({ protocol: /^https?$/ }).max(2048));
export const integer = (min: number, max: number) => withKind('integer', z.int().min(min).max(max));
export const count = () => withKind('integer', z.int().min(0));
export const amount = () => withKind('number', z.number());
export const flag = () => withKind('boolean', z.boolean());
/** Any offset and precision is taken, and kept as every other time is: in UTC with milliseconds. */
export const dateTime = () => {
  const written = z.iso.datetime({ offset: true }).check((context) => {
    if (toUtc(context.value) !== undefined) return;
    const refusal: Violation = { word: 'rule.rfc3339' };
    context.issues.push({ code: 'custom', input: context.value, params: refusal });
  });
  return withKind(
    'date-time',
    written.overwrite((text) => toUtc(text) ?? text),
  );
};
/** A length of time in whole seconds. */
export const seconds = (min: number, max: number) => withKind('seconds', z.int().min(min).max(max));
/** RFC 5545 text without a prefix, for an object with `beginAt`, `endAt` (its first occurrence) and `timeZone` (whose wall clock). */
export const rrule = () => withKind('rrule', z.string().max(rruleLimits.length));
/** An IANA name or an offset from UTC; its object checks it. */
export const timeZone = () => withKind('time-zone', z.string().max(64));
export const bytes = () => withKind('bytes', z.int().min(0));
export const json = () => withKind('json', z.unknown());
export const keyValues = () =>
  withKind('key-values', z.record(z.string().min(1).max(255), z.string().max(8192)));
export const reference = (resource: string) => withKind('reference', z.uuid(), { resource });
/** An id of the resource that the sibling field `by` names, of `resource` when that says nothing. */
export const referenceBy = (by: string, resource: string) =>
  withKind('reference', z.uuid(), { resource, resourceBy: by });
export const choice = <const V extends readonly [string, ...string[]]>(
  values: V,
  tones?: { [K in V[number]]?: Tone },
) => withKind('choice', z.enum(values), tones ? { tones: tones as Record<string, Tone> } : {});
export const list = <S extends z.ZodType>(item: S, max = 1000) => withKind('list', z.array(item).max(max));
export const object = <S extends z.ZodRawShape>(shape: S) => withKind('object', z.object(shape));
/** An object whose shape is picked by the sibling field `by`; the object around it needs `checkVariant`. */
export const variant = <V extends Record<string, unknown> = Record<string, unknown>>(
  by: string,
  variants: Record<string, z.ZodObject>,
) =>
  withKind('variant', z.record(z.string(), z.unknown()) as unknown as z.ZodType<V, Record<string, unknown>>, {
    by,
    variants,
  });

/** Check for `.check(...)` of the object around a variant field: parses it by its sibling's value and fills its defaults. */
export function checkVariant(name: string, by: string, variants: Record<string, z.ZodObject>) {
  return (payload: z.core.ParsePayload<Record<string, unknown>>) => {
    const schema = variants[String(payload.value[by])];
    if (!schema || payload.value[name] === undefined) return;
    const parsed = schema.safeParse(payload.value[name]);
    if (parsed.success) {
      payload.value = { ...payload.value, [name]: parsed.data };
      return;
    }
    for (const issue of parsed.error.issues) {
      payload.issues.push({ ...issue, path: [name, ...issue.path] } as z.core.$ZodRawIssue);
    }
  };
}

/** Everything a form, a column, a flag or a document page needs to know of a field, as plain JSON. */
export interface FieldMeta {
  kind: FieldKind;
  /** Must be given in an input. */
  required: boolean;
  nullable: boolean;
  default?: unknown;
  /** Characters of a text, value of a number, size of a list. */
  min?: number;
  max?: number;
  /** UTF-16 units that a text may take, where `max` counts characters that a person sees. */
  units?: number;
  options?: string[];
  tones?: Record<string, Tone>;
  resource?: string;
  resourceBy?: string;
  by?: string;
  variants?: Record<string, Record<string, FieldMeta>>;
  item?: FieldMeta;
  fields?: Record<string, FieldMeta>;
}

/** Reads the facts of one zod piece, looking through optional, nullable, default and pipes. */
export function fieldMeta(schema: z.ZodType): FieldMeta {
  let inner = schema as z.ZodType & { _zod: { def: Record<string, unknown> } };
  let required = true;
  let nullable = false;
  let fallback: unknown;
  let meta = kinds.get(inner);
  while (true) {
    const def = inner._zod.def as {
      type: string;
      innerType?: z.ZodType;
      defaultValue?: unknown;
      in?: z.ZodType;
    };
    if (def.type === 'optional' || def.type === 'default' || def.type === 'prefault') required = false;
    if (def.type === 'default') fallback = def.defaultValue;
    if (def.type === 'nullable') nullable = true;
    const next = def.innerType ?? (def.type === 'pipe' ? def.in : undefined);
    if (!next) break;
    inner = next as typeof inner;
    meta = kinds.get(inner) ?? meta;
  }
  return {
    ...ownMeta(inner, meta),
    required,
    nullable,
    ...(fallback === undefined ? {} : { default: typeof fallback === 'function' ? fallback() : fallback }),
  };
}

/** The facts of each field of an object schema. */
export function shapeFields(schema: z.ZodObject): Record<string, FieldMeta> {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, piece]) => [name, fieldMeta(piece as z.ZodType)]),
  );
}

function ownMeta(schema: z.ZodType, meta: KindMeta | undefined): Omit<FieldMeta, 'required' | 'nullable'> {
  const field: Omit<FieldMeta, 'required' | 'nullable'> = { kind: meta?.kind ?? guess(schema) };
  if (meta?.resource) field.resource = meta.resource;
  if (meta?.tones) field.tones = meta.tones;
  if (meta?.resourceBy) field.resourceBy = meta.resourceBy;
  if (meta?.by) field.by = meta.by;
  if (meta?.variants) {
    field.variants = Object.fromEntries(
      Object.entries(meta.variants).map(([value, shape]) => [value, shapeFields(shape)]),
    );
  }
  if (schema instanceof z.ZodEnum) field.options = schema.options as string[];
  if (schema instanceof z.ZodString || schema instanceof z.ZodURL || schema instanceof z.ZodEmail) {
    if (schema.minLength != null) field.min = schema.minLength;
    if (schema.maxLength != null) field.max = schema.maxLength;
    if (meta?.max !== undefined) field.max = meta.max;
    if (meta?.units !== undefined) field.units = meta.units;
  }
  if (schema instanceof z.ZodNumber) {
    if (Number.isFinite(schema.minValue)) field.min = schema.minValue ?? undefined;
    if (Number.isFinite(schema.maxValue)) field.max = schema.maxValue ?? undefined;
  }
  if (schema instanceof z.ZodArray) {
    field.item = fieldMeta(schema.element as z.ZodType);
    for (const check of schema._zod.def.checks ?? []) {
      const def = check._zod.def as unknown as { check: string; minimum?: number; maximum?: number };
      if (def.check === 'min_length') field.min = def.minimum;
      if (def.check === 'max_length') field.max = def.maximum;
    }
  }
  if (schema instanceof z.ZodObject) field.fields = shapeFields(schema);
  return field;
}

function guess(schema: z.ZodType): FieldKind {
  if (schema instanceof z.ZodString) return 'text';
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) return 'choice';
  if (schema instanceof z.ZodArray) return 'list';
  if (schema instanceof z.ZodObject) return 'object';
  return 'json';
}
