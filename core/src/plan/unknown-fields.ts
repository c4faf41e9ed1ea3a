// Reports unknown fields in files, which schemas would drop silently.

import type { Translate } from '../i18n/translator.ts';
import type { FieldMeta } from '../resource/field.ts';
import type { Fields } from './plan-item.ts';

/** Returns an error for each unknown field, including those of nested objects. */
export function findUnknownFields(
  meta: Record<string, FieldMeta>,
  fields: Fields,
  t: Translate,
  base = '',
): { path: string; reason: string }[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const path = base === '' ? name : `${base}.${name}`;
    const one = Object.hasOwn(meta, name) ? meta[name] : undefined;
    if (!one) return [{ path, reason: t('plan.unknown-field', { fields: Object.keys(meta).join(', ') }) }];
    const inner = childFields(one, fields);
    if (!inner || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return findUnknownFields(inner, value as Fields, t, path);
  });
}

/** The metadata of the field at a dotted path; undefined if unknown. */
export function fieldAt(
  meta: Record<string, FieldMeta>,
  fields: Fields,
  path: string,
): FieldMeta | undefined {
  const [name = '', ...rest] = path.split('.');
  const one = Object.hasOwn(meta, name) ? meta[name] : undefined;
  if (!one || rest.length === 0) return one;
  const inner = childFields(one, fields);
  return inner && fieldAt(inner, (fields[name] ?? {}) as Fields, rest.join('.'));
}

function childFields(meta: FieldMeta, siblings: Fields): Record<string, FieldMeta> | undefined {
  return meta.fields ?? (meta.by ? meta.variants?.[String(siblings[meta.by])] : undefined);
}
