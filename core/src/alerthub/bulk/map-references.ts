// Rewrites every reference in a value, wherever its facts say that one stands.
import type { FieldMeta } from '../../resource/field.ts';

/** Gives what stands for a reference; `path` is dotted, relative to the item. */
export type MapReference = (resource: string, value: unknown, path: string) => unknown;

/** A copy of an item's fields with each reference mapped. */
export function mapReferences(
  shape: Record<string, FieldMeta>,
  around: Record<string, unknown>,
  map: MapReference,
  base = '',
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(around).map(([name, value]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const path = base === '' ? name : `${base}.${name}`;
      return [name, field ? mapOne(field, value, around, map, path) : value];
    }),
  );
}

function mapOne(
  field: FieldMeta,
  value: unknown,
  around: Record<string, unknown>,
  map: MapReference,
  path: string,
): unknown {
  if (value === null || value === undefined) return value;
  if (field.kind === 'reference') {
    const named = field.resourceBy === undefined ? undefined : around[field.resourceBy];
    const resource = typeof named === 'string' ? named : field.resource;
    if (resource) return map(resource, value, path);
  }
  if (field.item && Array.isArray(value)) {
    const { item } = field;
    return value.map((one, index) => mapOne(item, one, around, map, `${path}.${index}`));
  }
  const shape = field.fields ?? (field.by ? field.variants?.[String(around[field.by])] : undefined);
  if (!shape || typeof value !== 'object' || Array.isArray(value)) return value;
  return mapReferences(shape, value as Record<string, unknown>, map, path);
}

/** Dotted paths of secrets that the value holds. */
export function secretsIn(
  shape: Record<string, FieldMeta>,
  around: Record<string, unknown>,
  base = '',
): string[] {
  return Object.entries(shape).flatMap(([name, facts]) => {
    const value = around[name];
    const path = base === '' ? name : `${base}.${name}`;
    if (value === undefined || value === null) return [];
    if (facts.kind === 'secret') return [path];
    const inner = facts.fields ?? (facts.by ? facts.variants?.[String(around[facts.by])] : undefined);
    if (!inner || typeof value !== 'object') return [];
    return secretsIn(inner, value as Record<string, unknown>, path);
  });
}
