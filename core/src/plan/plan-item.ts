// An item as files have it: known by its name and by the names of what holds it, with names where the API has ids.
import { mapReferences } from '../alerthub/bulk/map-references.ts';
import type { AnyResource } from '../resource/define-resource.ts';
import type { FieldMeta } from '../resource/field.ts';
import { planFields } from './plan-kinds.ts';

export type Fields = Record<string, unknown>;

export interface PlanItem {
  /** Name of the resource. */
  kind: string;
  /** Names of what holds it, outermost first. */
  parents: string[];
  name: string;
  /** Which one it is of those with the same name in the same place; 0 for the first. */
  number: number;
  /** Fields of the input, references by name, without secrets. */
  fields: Fields;
}

/** A secret in a file: the name of the variable that holds it when the plan is applied. */
export interface SecretSource {
  $env: string;
}

/** Which item is meant, as one text. */
export function planItemKey({ kind, parents, name, number }: Omit<PlanItem, 'fields'>): string {
  return JSON.stringify([kind, parents, name, number]);
}

/** The name of what an id stands for; undefined where that is not known. */
export type LookupName = (resource: string, id: string) => string | undefined;
/** The id of what a name stands for; undefined where there is no such thing. */
export type LookupId = (resource: string, name: string) => string | undefined;

/** The input of an item that the API gave, references by name, without secrets. */
export function portableFields(resource: AnyResource, item: Fields, nameOf: LookupName): Fields {
  const meta = planFields(resource);
  const own: Fields = {};
  for (const name of Object.keys(meta)) if (item[name] !== undefined) own[name] = item[name];
  const named = mapReferences(meta, own, (kind, value) =>
    typeof value === 'string' ? (nameOf(kind, value) ?? value) : value,
  );
  return withoutSecrets(meta, named);
}

/** What the API takes: references by id. A name that nothing has stays as it is, and is told to `unknown`. */
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

/** A copy without the secrets, however deep they lie. */
export function withoutSecrets(meta: Record<string, FieldMeta>, fields: Fields): Fields {
  return mapSecrets(meta, fields, () => undefined);
}

/** A copy with each secret replaced; one that becomes undefined is left out. */
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

/** Dotted paths of the secrets that an item with these fields has. */
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

/** Puts a value at a dotted path of a copy. */
export function withValue(fields: Fields, path: string, value: unknown): Fields {
  const [name = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? value : withValue((fields[name] ?? {}) as Fields, rest.join('.'), value);
  return { ...fields, [name]: inner };
}
