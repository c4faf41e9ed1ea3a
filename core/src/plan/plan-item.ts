// Items as files describe them: identified by their name and their parents' names, with names instead of ids.
import { mapReferences } from '../alerthub/bulk/map-references.ts';
import type { AnyResource } from '../resource/define-resource.ts';
import type { FieldMeta } from '../resource/field.ts';
import { planFields } from './plan-kinds.ts';

export type Fields = Record<string, unknown>;

export interface PlanItem {
  /** Name of the resource. */
  kind: string;
  /** Names of the parents, outermost first. */
  parents: string[];
  name: string;
  /** Position among items with the same name and parents; 0 for the first. */
  number: number;
  /** Fields of the input, with references by name and without secrets. */
  fields: Fields;
}

/** A secret in a file: the name of the environment variable that holds it when the plan is applied. */
export interface SecretSource {
  $env: string;
}

/** Unique key of an item as a string. */
export function planItemKey({ kind, parents, name, number }: Omit<PlanItem, 'fields'>): string {
  return JSON.stringify([kind, parents, name, number]);
}

/** The name for an id; undefined if unknown. */
export type LookupName = (resource: string, id: string) => string | undefined;
/** The id for a name; undefined if there is no such item. */
export type LookupId = (resource: string, name: string) => string | undefined;

/** Converts an item from the API to an input with references by name and without secrets. */
export function portableFields(resource: AnyResource, item: Fields, nameOf: LookupName): Fields {
  const meta = planFields(resource);
  const own: Fields = {};
  for (const name of Object.keys(meta)) if (item[name] !== undefined) own[name] = item[name];
  const named = mapReferences(meta, own, (kind, value) =>
    typeof value === 'string' ? (nameOf(kind, value) ?? value) : value,
  );
  return withoutSecrets(meta, named);
}

/**
 * Converts to an API input with references by id. An unknown name is left unchanged and passed to `unknown`.
 */
export function toInput(
  resource: AnyResource,
  fields: Fields,
  idOf: LookupId,
  unknown: (path: string, kind: string, name: string) => void = () => undefined,
): Fields {
  return mapReferences(planFields(resource), fields, (kind, value, path) => {
    if (typeof value !== 'string') return value;
    const id = idOf(kind, value);
    if (id === undefined && !isId(value)) unknown(path, kind, value);
    return id ?? value;
  });
}

/** A copy without secrets at any depth. */
export function withoutSecrets(meta: Record<string, FieldMeta>, fields: Fields): Fields {
  return mapSecrets(meta, fields, () => undefined);
}

/** A copy with each secret replaced; a secret mapped to undefined is omitted. */
export function mapSecrets(
  meta: Record<string, FieldMeta>,
  fields: Fields,
  replace: (value: unknown, path: string) => unknown,
  base = '',
): Fields {
  const found: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    const one = Object.hasOwn(meta, name) ? meta[name] : undefined;
    const path = base === '' ? name : `${base}.${name}`;
    const inner = one?.fields ?? (one?.by ? one.variants?.[String(fields[one.by])] : undefined);
    const open = inner && typeof value === 'object' && value !== null && !Array.isArray(value);
    const kept =
      one?.kind === 'secret'
        ? replace(value, path)
        : open
          ? mapSecrets(inner, value as Fields, replace, path)
          : value;
    if (kept !== undefined) found[name] = kept;
  }
  return found;
}

export function isSecretSource(value: unknown): value is SecretSource {
  return typeof value === 'object' && value !== null && typeof (value as SecretSource).$env === 'string';
}

export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Dotted paths of an item's secrets. */
export function secretPaths(meta: Record<string, FieldMeta>, fields: Fields, base = ''): string[] {
  return Object.entries(meta).flatMap(([name, one]) => {
    const path = base === '' ? name : `${base}.${name}`;
    if (one.kind === 'secret') return [path];
    const inner = one.fields ?? (one.by ? one.variants?.[String(fields[one.by])] : undefined);
    const value = fields[name];
    if (!inner || typeof value !== 'object' || value === null) return [];
    return secretPaths(inner, value as Fields, path);
  });
}

/** A copy with the value at a dotted path set. */
export function withValue(fields: Fields, path: string, value: unknown): Fields {
  const [name = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? value : withValue((fields[name] ?? {}) as Fields, rest.join('.'), value);
  return { ...fields, [name]: inner };
}
