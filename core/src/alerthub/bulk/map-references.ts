// Maps every reference in a value, found by its field metadata.
import type { FieldMeta } from '../../resource/field.ts';

/** Returns the replacement for a reference; `path` is dotted, relative to the item. */
export type MapReference = (resource: string, value: unknown, path: string) => unknown;

/** Copies an item's fields with each reference mapped. */
export function mapReferences(
  shape: Record<string, FieldMeta>,
  siblings: Record<string, unknown>,
  map: MapReference,
  base = '',
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(siblings).map(([name, value]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const path = base === '' ? name : `${base}.${name}`;
      return [name, field ? mapValue(field, value, siblings, map, path) : value];
    }),
  );
}

function mapValue(
  field: FieldMeta,
  value: unknown,
  siblings: Record<string, unknown>,
  map: MapReference,
  path: string,
): unknown {
  if (value === null || value === undefined) return value;
  if (field.kind === 'reference') {
    const named = field.resourceBy === undefined ? undefined : siblings[field.resourceBy];
    const resource = typeof named === 'string' ? named : field.resource;
    if (resource) return map(resource, value, path);
  }
  if (field.item && Array.isArray(value)) {
    const { item } = field;
    return value.map((one, index) => mapValue(item, one, siblings, map, `${path}.${index}`));
  }
  const shape = field.fields ?? (field.by ? field.variants?.[String(siblings[field.by])] : undefined);
  if (!shape || typeof value !== 'object' || Array.isArray(value)) return value;
  return mapReferences(shape, value as Record<string, unknown>, map, path);
}

/** Dotted paths of the secrets set in the value. */
export function findSecretPaths(
  shape: Record<string, FieldMeta>,
  siblings: Record<string, unknown>,
  base = '',
): string[] {
  return Object.entries(shape).flatMap(([name, meta]) => {
    const value = siblings[name];
    const path = base === '' ? name : `${base}.${name}`;
    if (value === undefined || value === null) return [];
    if (meta.kind === 'secret') return [path];
    const inner = meta.fields ?? (meta.by ? meta.variants?.[String(siblings[meta.by])] : undefined);
    if (!inner || typeof value !== 'object') return [];
    return findSecretPaths(inner, value as Record<string, unknown>, path);
  });
}
