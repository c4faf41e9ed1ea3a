// Key/value editor: rows of a key and a value, each key once (spec section 5).
import type { Refusal } from './refusal.ts';

export interface KeyValueRow {
  key: string;
  value: string;
}

/** What is wrong with the key of each row (same order): missing, or used by an earlier row. */
export function checkKeys(rows: readonly KeyValueRow[]): (Refusal | undefined)[] {
  const seen = new Set<string>();
  return rows.map(({ key }) => {
    if (key === '') return { word: 'rule.keyRequired' };
    if (seen.has(key)) return { word: 'rule.keyExists' };
    seen.add(key);
    return undefined;
  });
}

/** The rows as an object, or undefined as long as a key is missing or doubled: the editor emits nothing then. */
export function keyValuesOf(rows: readonly KeyValueRow[]): Record<string, string> | undefined {
  if (checkKeys(rows).some((refusal) => refusal !== undefined)) return undefined;
  // fromEntries defines own members, so a key such as __proto__ stays a plain key.
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

/** The rows of an object, in its order. */
export function keyValueRows(values: Readonly<Record<string, string>>): KeyValueRow[] {
  return Object.entries(values).map(([key, value]) => ({ key, value }));
}
