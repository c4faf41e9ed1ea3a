// Formats data for programs: selected fields as JSON, or one item per line.
import { cleanJson } from '../terminal/clean.ts';
import { closestMatch } from './closest-match.ts';
import { UsageError } from './usage-error.ts';

/** Parses `a,b.c`. Throws for an unknown field; without a name, the error lists the available fields. */
export function parseFieldNames(wanted: string | true, known: readonly string[]): string[] {
  if (wanted === true || wanted.trim() === '')
    throw new UsageError('cli.usage.json-fields', { fields: known.join('\n  ') });
  const names = wanted.split(',').map((name) => name.trim());
  for (const name of names) {
    if (known.includes(name.split('.')[0]!)) continue;
    const close = closestMatch(name, known);
    if (close.length > 0)
      throw new UsageError('cli.usage.near-field', { field: name, fields: close.join(', ') });
    throw new UsageError('cli.usage.unknown-field', { field: name, fields: known.join(', ') });
  }
  return names;
}

/**
 * Returns the selected fields of an item. A dotted name addresses nested values; missing values are null.
 */
export function selectFields(
  item: Record<string, unknown>,
  fields: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, valueAt(item, field) ?? null]));
}

export function valueAt(item: unknown, path: string): unknown {
  let value = item;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** One JSON document: indented for a terminal, on one line for programs. */
export function formatJson(value: unknown, live: boolean): string {
  return `${cleanJson(value, live ? 2 : undefined)}\n`;
}
