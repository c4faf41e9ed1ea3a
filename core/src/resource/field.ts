// Field kinds: zod schemas validate a value; the kind defines how it is displayed and entered.
import { z } from 'zod';
import { rruleLimits } from '../schedule/rrule.ts';
import { isStorableDate } from '../validation/date.ts';
import { checkNameCharacters } from '../validation/name-characters.ts';
import { checkTextLength } from '../validation/text-length.ts';
import type { Violation } from '../validation/violation.ts';
import type { FieldKind } from './field-kinds.ts';
import { toUtc } from './to-utc.ts';

export type Tone = 'neutral' | 'success' | 'warning' | 'danger' | 'info' | 'progress';

export type { FieldKind } from './field-kinds.ts';

interface KindMeta {
  kind: FieldKind;
  /** `reference`: name of the referenced resource. */
  resource?: string;
  /** `reference`: sibling field with the name of the referenced resource instead. */
  resourceBy?: string;
  /** `json`: resources that members refer to by id. */
  references?: Record<string, string>;
  /** `choice`: badge tone of each value. */
  tones?: Record<string, Tone>;
  /** `variant`: sibling field whose value selects the schema, and the schemas. */
  by?: string;
  variants?: Record<string, z.ZodObject>;
  /** `integer`: names something, such as a port. */
  identifies?: true;
  /** Maximum number of graphemes and of UTF-16 units, if the schema counts graphemes. */
  max?: number;
  units?: number;
}

const kinds = new WeakMap<z.ZodType, KindMeta>();
const nullChoices = new WeakMap<z.ZodType, string>();

/** Assigns a kind to a zod schema. In nested wrappers the innermost kind applies. */
export function withKind<S extends z.ZodType>(
  kind: FieldKind,
  schema: S,
  meta: Omit<KindMeta, 'kind'> = {},
): S {
  kinds.set(schema, { kind, ...meta });
  return schema;
}

/** Names what null stands for in a nullable schema, as the last part of its `value.` translation. */
export function withNullChoice<S extends z.ZodType>(choice: string, schema: S): S {
  nullChoices.set(schema, choice);
  return schema;
}

/** UTF-16 units allowed per grapheme: enough for joined emoji, too few for stacks of combining marks. */
const maxUnitsPerCharacter = 16;

/** Limits a text by graphemes and by UTF-16 units. */
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

/** Refuses line breaks, controls and what turns the direction of text. */
function name(schema: z.ZodString, max: number): z.ZodString {
  const checked = schema.check((context) => {
    const refusal = checkNameCharacters(context.value);
    if (refusal) context.issues.push({ code: 'custom', input: context.value, params: refusal });
  });
  return characters('text', checked, max);
}

/** Most display names have at most 30 characters. */
export const displayName = (max = 30) => name(z.string().trim().min(1), max);
/** A display name that may be empty. */
export const optionalDisplayName = (max = 30) => name(z.string(), max);
export const maxRemarks = 2000;
export const remarks = () => characters('long-text', z.string(), maxRemarks).default('');
/** RFC 9562 section 4: an id is read in either case and written in lower case. */
const lowerCaseUuid = () => z.uuid().overwrite((id) => id.toLowerCase());
export const uuid = () => withKind('id', lowerCaseUuid());
export const text = (max = 255) => characters('text', z.string(), max);
export const requiredText = (max = 255) => characters('text', z.string().trim().min(1), max);
export const longText = (max = 65_536) => withKind('long-text', z.string().max(max));
/** A Mustache template. */
export const template = (max = 65_536) => withKind('template', z.string().max(max));
export const email = () => withKind('email', z.email().max(254));
export const url = () => withKind('url', z.url({ protocol: /^https?$/ }).max(2048));
export const integer = (min: number, max: number) => withKind('integer', z.int().min(min).max(max));
/** A number that names something, such as a port: written without thousands separators. */
export const numericId = (min: number, max: number) =>
  withKind('integer', z.int().min(min).max(max), { identifies: true });
export const count = () => withKind('integer', z.int().min(0));
export const flag = () => withKind('boolean', z.boolean());
/**
 * A day of the years 1 to 9999 as `YYYY-MM-DD`, without a time.
 * @public For new descriptors; no current resource has a date without a time.
 */
export const date = () =>
  withKind('date', z.iso.date({ abort: true }).refine(isStorableDate, { params: { word: 'rule.date' } }));
/** Accepts any offset and precision; stored in UTC with milliseconds. */
export const dateTime = () => {
  const written = z.iso.datetime({ offset: true, abort: true }).check((context) => {
    if (toUtc(context.value) !== undefined) return;
    const refusal: Violation = { word: 'rule.rfc3339' };
    context.issues.push({ code: 'custom', input: context.value, params: refusal });
  });
  return withKind(
    'date-time',
    written.overwrite((text) => toUtc(text) ?? text),
  );
};
/** A duration in whole seconds. */
export const seconds = (min: number, max: number) => withKind('seconds', z.int().min(min).max(max));
/**
 * RFC 5545 text without a prefix, for an object with `beginAt`, `endAt` (first occurrence) and `timeZone`
 * (zone in which it repeats).
 */
export const rrule = () => withKind('rrule', z.string().max(rruleLimits.length));
/** An IANA name or an offset from UTC; validated by the enclosing object. */
export const timeZone = () => withKind('time-zone', z.string().max(64));
export const bytes = () => withKind('bytes', z.int().min(0));
export const json = () => withKind('json', z.unknown());
export const keyValues = () =>
  withKind('key-values', z.record(z.string().min(1).max(255), z.string().max(8192)));
export const reference = (resource: string) => withKind('reference', lowerCaseUuid(), { resource });
/** An id of the resource named by the sibling field `by`, or of `resource` if that field is empty. */
export const referenceBy = (by: string, resource: string) =>
  withKind('reference', lowerCaseUuid(), { resource, resourceBy: by });
export const choice = <const V extends readonly [string, ...string[]]>(
  values: V,
  tones?: { [K in V[number]]?: Tone },
) => withKind('choice', z.enum(values), tones ? { tones: tones as Record<string, Tone> } : {});
export const list = <S extends z.ZodType>(item: S, max = 1000) => withKind('list', z.array(item).max(max));
export const object = <S extends z.ZodRawShape>(shape: S) => withKind('object', z.object(shape));
/**
 * An object whose schema is selected by the sibling field `by`; the enclosing object needs `checkVariant`.
 */
export const variant = <V extends Record<string, unknown> = Record<string, unknown>>(
  by: string,
  variants: Record<string, z.ZodObject>,
) =>
  withKind('variant', z.record(z.string(), z.unknown()) as unknown as z.ZodType<V, Record<string, unknown>>, {
    by,
    variants,
  });

/**
 * Check for `.check(...)` of the object that contains a variant field: parses the variant by its sibling's
 * value and fills in defaults.
 */
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

/** Metadata of a field for forms, columns, flags and documentation, as plain JSON. */
export interface FieldMeta {
  kind: FieldKind;
  /** Required in an input. */
  required: boolean;
  nullable: boolean;
  /** What null stands for, as the last part of its `value.` translation; absent if it means that there is no value. */
  nullChoice?: string;
  default?: unknown;
  /** Bounds of the length of a text, the value of a number or the size of a list. */
  min?: number;
  max?: number;
  /** Maximum number of UTF-16 units, if `max` counts graphemes. */
  units?: number;
  /** An integer that names something and gets no thousands separators. */
  identifies?: true;
  /** The allowed values as text. */
  options?: string[];
  tones?: Record<string, Tone>;
  resource?: string;
  resourceBy?: string;
  references?: Record<string, string>;
  by?: string;
  variants?: Record<string, Record<string, FieldMeta>>;
  item?: FieldMeta;
  fields?: Record<string, FieldMeta>;
}

/** Derives the metadata of one zod schema, unwrapping optional, nullable, default and pipes. */
export function fieldMeta(schema: z.ZodType): FieldMeta {
  let inner = schema as z.ZodType & { _zod: { def: Record<string, unknown> } };
  let required = true;
  let nullable = false;
  let fallback: unknown;
  let meta = kinds.get(inner);
  let nullChoice: string | undefined;
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
    nullChoice ??= nullChoices.get(inner);
    const next = def.innerType ?? (def.type === 'pipe' ? def.in : undefined);
    if (!next) break;
    inner = next as typeof inner;
    meta = kinds.get(inner) ?? meta;
  }
  return {
    ...ownMeta(inner, meta),
    required,
    nullable,
    ...(nullChoice === undefined ? {} : { nullChoice }),
    ...(fallback === undefined ? {} : { default: typeof fallback === 'function' ? fallback() : fallback }),
  };
}

/** The schemas of a variant field by the value of its sibling `by`; undefined for another field. */
export function variantSchemas(schema: z.ZodType): Pick<KindMeta, 'by' | 'variants'> | undefined {
  const meta = kinds.get(schema);
  if (meta?.by) return meta;
  const { innerType } = schema._zod.def as { innerType?: z.ZodType };
  return innerType && variantSchemas(innerType);
}

/** Metadata of each field of an object schema. */
export function shapeFields(schema: z.ZodObject): Record<string, FieldMeta> {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, piece]) => [name, fieldMeta(piece as z.ZodType)]),
  );
}

function ownMeta(schema: z.ZodType, meta: KindMeta | undefined): Omit<FieldMeta, 'required' | 'nullable'> {
  const field: Omit<FieldMeta, 'required' | 'nullable'> = { kind: meta?.kind ?? guess(schema) };
  if (meta?.resource) field.resource = meta.resource;
  if (meta?.references) field.references = meta.references;
  if (meta?.identifies) field.identifies = true;
  if (meta?.tones) field.tones = meta.tones;
  if (meta?.resourceBy) field.resourceBy = meta.resourceBy;
  if (meta?.by) field.by = meta.by;
  if (meta?.variants) {
    field.variants = Object.fromEntries(
      Object.entries(meta.variants).map(([value, shape]) => [value, shapeFields(shape)]),
    );
  }
  if (schema instanceof z.ZodEnum) field.options = schema.options as string[];
  if (schema instanceof z.ZodLiteral) field.options = [...schema.values].map(String);
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
