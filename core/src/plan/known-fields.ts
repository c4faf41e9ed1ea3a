// Fields of a file that no item of the kind has: schemas drop them silently, a person wants to know.
import type { FieldFacts } from '../resource/field.ts';
import type { Translate } from '../words/translate.ts';
import type { Fields } from './plan-item.ts';

/** A fault for each unknown field, objects looked into. */
export function refuseUnknown(
  facts: Record<string, FieldFacts>,
  fields: Fields,
  t: Translate,
  base = '',
): { path: string; reason: string }[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const path = base === '' ? name : `${base}.${name}`;
    const one = Object.hasOwn(facts, name) ? facts[name] : undefined;
    if (!one) return [{ path, reason: t('plan.unknown-field', { fields: Object.keys(facts).join(', ') }) }];
    const inner = innerOf(one, fields);
    if (!inner || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return refuseUnknown(inner, value as Fields, t, path);
  });
}

/** The facts of a dotted path, as far as facts know of it. */
export function fieldAt(
  facts: Record<string, FieldFacts>,
  fields: Fields,
  path: string,
): FieldFacts | undefined {
  const [name = '', ...rest] = path.split('.');
  const one = Object.hasOwn(facts, name) ? facts[name] : undefined;
  if (!one || rest.length === 0) return one;
  const inner = innerOf(one, fields);
  return inner && fieldAt(inner, (fields[name] ?? {}) as Fields, rest.join('.'));
}

function innerOf(facts: FieldFacts, around: Fields): Record<string, FieldFacts> | undefined {
  return facts.fields ?? (facts.by ? facts.variants?.[String(around[facts.by])] : undefined);
}
