// Removes secrets from audit records; a record only says that a secret was set.
import { type AnyResource, inputFields, itemFields } from '@yagura/core/resource/define-resource';
import type { FieldMeta } from '@yagura/core/resource/field';
import { maskedValue, maskHeaders, maskUrl } from './mask-request.ts';

const secretName =
  /password|passphrase|secret|token(?!Id$)|private.?key|pin.?code|api.?key|authorization|cookie|recovery.?code|encrypted|credential$|hash$|^code$|^response$/i;
const maxDepth = 12;
const maxTextLength = 2_000;

/** Returns a copy of an item's or an input's fields without secrets; long strings are truncated. */
export function maskFields(resource: AnyResource, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  return maskValue(value, { ...itemFields(resource), ...inputFields(resource) }, 0);
}

/** Masks values without a descriptor. */
export function maskUnknown(value: unknown): unknown {
  return value === undefined ? null : maskValue(value, {}, 0);
}

function maskValue(value: unknown, fields: Record<string, FieldMeta>, depth: number): unknown {
  if (depth > maxDepth) return maskedValue;
  if (Array.isArray(value)) return value.map((one) => maskValue(one, fields, depth + 1));
  if (typeof value === 'string') return shorten(value);
  if (typeof value !== 'object' || value === null) return value;
  const found = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(found).map(([name, one]) => {
      const field = fields[name];
      if (isEmpty(one)) return [name, one];
      if (field?.kind === 'secret' || (field?.kind !== 'reference' && secretName.test(name)))
        return [name, maskedValue];
      if (field?.kind === 'url' && typeof one === 'string') return [name, maskUrl(one)];
      if (name === 'headers' && field?.kind === 'key-values')
        return [name, maskHeaders(one as Record<string, unknown>)];
      return [name, maskValue(one, innerFields(field, found), depth + 1)];
    }),
  );
}

function innerFields(
  field: FieldMeta | undefined,
  siblings: Record<string, unknown>,
): Record<string, FieldMeta> {
  if (field?.by) return field.variants?.[String(siblings[field.by])] ?? {};
  return field?.fields ?? field?.item?.fields ?? {};
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || typeof value === 'boolean';
}

function shorten(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}
