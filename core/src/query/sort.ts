// Sort parameter of a list: `field,-field`, a minus for descending, several keys in order.
import { QueryError } from './query-error.ts';

/** One sort key. */
export interface SortKey {
  field: string;
  descending: boolean;
}

/** Limits of a sort text: UTF-16 units and keys. */
export const sortLimits = { length: 1024, keys: 16 } as const;

const path = /^[A-Za-z_$][\w$-]*(?:\.[\w$-]+)*$/;

/**
 * Parses a sort list; an empty text is an empty list. Throws QueryError for an invalid or repeated field.
 */
export function parseSort(text: string): SortKey[] {
  if (text.length > sortLimits.length) throw new QueryError(sortLimits.length, 'shorter');
  if (text.trim() === '') return [];
  const keys: SortKey[] = [];
  const seen = new Set<string>();
  let at = 0;
  for (const part of text.split(',')) {
    const start = at + (part.length - part.trimStart().length);
    at += part.length + 1;
    const descending = part.trim().startsWith('-');
    const field = descending ? part.trim().slice(1) : part.trim();
    if (!path.test(field)) throw new QueryError(start, 'field');
    if (seen.has(field)) throw new QueryError(start, 'single-field');
    if (keys.length === sortLimits.keys) throw new QueryError(start, 'fewer-terms');
    seen.add(field);
    keys.push({ field, descending });
  }
  return keys;
}

/** Prints a sort list so that parseSort returns the same keys. */
export function printSort(keys: readonly SortKey[]): string {
  return keys.map((key) => (key.descending ? `-${key.field}` : key.field)).join(',');
}
