// Converts the JSON Schema of a step's or condition's parameters to form fields (plain data).

export type ParamKind =
  | 'text'
  | 'code'
  | 'template'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'choice'
  /** List of strings, one per line. */
  | 'texts'
  | 'key-values'
  /** A number, or a string if the input is none or has more digits than a double keeps. */
  | 'number-or-text'
  | 'json';

export interface ParamField {
  name: string;
  kind: ParamKind;
  required: boolean;
  default?: unknown;
  options?: string[];
  min?: number;
  max?: number;
  /**
   * Format of a string: `data-path` (where a value is read), `field-name` (name it is stored under), `regex`
   * or `template`.
   */
  format?: string;
  /** English title from the schema, for parameters without a translation. */
  title?: string;
}

type JsonSchema = Record<string, unknown>;

/** Returns the fields of an object schema in schema order; empty for any other schema. */
export function paramFields(schema: unknown): ParamField[] {
  if (!isObject(schema) || !isObject(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).flatMap(([name, property]) =>
    isObject(property) ? [toParamField(name, property, required.includes(name))] : [],
  );
}

function toParamField(name: string, schema: JsonSchema, required: boolean): ParamField {
  return {
    name,
    required,
    ...kindOfSchema(schema),
    ...('default' in schema ? { default: schema.default } : {}),
    ...(typeof schema.format === 'string' ? { format: schema.format } : {}),
    ...(typeof schema.title === 'string' ? { title: schema.title } : {}),
  };
}

function kindOfSchema(schema: JsonSchema): Omit<ParamField, 'name' | 'required'> {
  if (Array.isArray(schema.enum)) return { kind: 'choice', options: schema.enum.map(String) };
  if (Array.isArray(schema.anyOf)) return { kind: isNumberOrText(schema.anyOf) ? 'number-or-text' : 'json' };
  switch (schema.type) {
    case 'boolean':
      return { kind: 'boolean' };
    case 'number':
    case 'integer':
      return { kind: schema.type, ...numberRange(schema.minimum, schema.maximum) };
    case 'string':
      return {
        kind: textKinds[String(schema.format)] ?? 'text',
        ...numberRange(schema.minLength, schema.maxLength),
      };
    case 'array':
      return isObject(schema.items) && schema.items.type === 'string'
        ? { kind: 'texts', ...numberRange(schema.minItems, schema.maxItems) }
        : { kind: 'json' };
    case 'object':
      return { kind: isObject(schema.additionalProperties) ? 'key-values' : 'json' };
    default:
      return { kind: 'json' };
  }
}

const textKinds: Record<string, ParamKind> = {
  template: 'template',
  'data-path': 'code',
  'field-name': 'code',
  regex: 'code',
};

function isNumberOrText(members: unknown[]): boolean {
  const types = members.map((member) => isObject(member) && member.type);
  return (
    types.length === 2 && types.includes('string') && (types.includes('integer') || types.includes('number'))
  );
}

/** Returns the bounds to show; those at or beyond the safe integer range are dropped. */
function numberRange(min: unknown, max: unknown): { min?: number; max?: number } {
  const real = (bound: unknown): bound is number =>
    typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  return { ...(real(min) ? { min } : {}), ...(real(max) ? { max } : {}) };
}

export type ParamRelevance = 'asked' | 'required' | 'hidden';

/** Parameters whose relevance depends on another parameter's value; all others follow the schema. */
const relevanceRules: Record<string, (params: Record<string, unknown>) => Record<string, ParamRelevance>> = {
  'text-compare': ({ comparison }) =>
    comparison === 'inList'
      ? { value: 'hidden', values: 'required' }
      : { value: 'required', values: 'hidden' },
  'date-time-compare': ({ comparison }) => ({ seconds: comparison === 'within' ? 'required' : 'hidden' }),
};

/** Returns whether an operator's parameter is shown in the form, given the other parameters. */
export function relevanceOf(id: string, name: string, params: Record<string, unknown>): ParamRelevance {
  return (Object.hasOwn(relevanceRules, id) ? relevanceRules[id]!(params)[name] : undefined) ?? 'asked';
}

/**
 * Returns the parameters to submit: those that are shown and filled in. Without fields (unknown operator) all
 * are kept as they are.
 */
export function toSentParams(
  id: string,
  fields: ParamField[] | undefined,
  params: Record<string, unknown>,
): Record<string, unknown> {
  if (!fields) return params;
  return Object.fromEntries(
    fields
      .map(
        ({ name, default: fallback }) =>
          [name, params[name] === undefined ? fallback : params[name]] as const,
      )
      .filter(([name, value]) => value !== undefined && relevanceOf(id, name, params) !== 'hidden'),
  );
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
