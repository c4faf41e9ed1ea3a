// Takes secrets out of what the audit log keeps: it says that one was set, never which.
import { type AnyResource, inputFacts, itemFacts } from '@yagura/core/resource/define-resource';
import type { FieldFacts } from '@yagura/core/resource/field';
import { masked, maskHeaders, maskUrl } from './mask-outgoing.ts';

const secretName =
  /password|passphrase|secret|token(?!Id$)|private.?key|pin.?code|api.?key|authorization|cookie|recovery.?code|encrypted|credential$|hash$|^code$|^response$/i;
const mostDepth = 12;
const longestText = 2_000;

/** A copy of an item's or an input's fields without secrets; long texts are cut. */
export function maskFields(resource: AnyResource, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  return maskValue(value, { ...itemFacts(resource), ...inputFacts(resource) }, 0);
}

/** The same for values that no descriptor knows. */
export function maskUnknown(value: unknown): unknown {
  return value === undefined ? null : maskValue(value, {}, 0);
}

function maskValue(value: unknown, facts: Record<string, FieldFacts>, depth: number): unknown {
  if (depth > mostDepth) return masked;
  if (Array.isArray(value)) return value.map((one) => maskValue(one, facts, depth + 1));
  if (typeof value === 'string') return shorten(value);
  if (typeof value !== 'object' || value === null) return value;
  const found = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(found).map(([name, one]) => {
      const fact = facts[name];
      if (isEmpty(one)) return [name, one];
      if (fact?.kind === 'secret' || (fact?.kind !== 'reference' && secretName.test(name)))
        return [name, masked];
      if (fact?.kind === 'url' && typeof one === 'string') return [name, maskUrl(one)];
      if (name === 'headers' && fact?.kind === 'key-values')
        return [name, maskHeaders(one as Record<string, unknown>)];
      return [name, maskValue(one, innerFacts(fact, found), depth + 1)];
    }),
  );
}

function innerFacts(
  fact: FieldFacts | undefined,
  siblings: Record<string, unknown>,
): Record<string, FieldFacts> {
  if (fact?.by) return fact.variants?.[String(siblings[fact.by])] ?? {};
  return fact?.fields ?? fact?.item?.fields ?? {};
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || typeof value === 'boolean';
}

function shorten(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}
