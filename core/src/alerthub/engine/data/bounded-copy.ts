// Truncates data so that it can be stored with every call: cuts long texts and lists, omits deep and excess
// values.

import { ExactNumber } from '../../../http/exact-json.ts';

const maxTextLength = 4000;
const maxListItems = 100;
const maxDepth = 12;
/** Maximum number of values and of characters in total. */
const maxValues = 5000;
const maxCharacters = 262_144;

/**
 * A copy within the limits; whatever does not fit is omitted. Copies own properties only, so a prototype has
 * no effect.
 */
export function boundedCopy(value: unknown): unknown {
  const budget = { values: maxValues, characters: maxCharacters };
  return copyValue(value, 0, budget);
}

function copyValue(value: unknown, depth: number, budget: { values: number; characters: number }): unknown {
  budget.values -= 1;
  if (budget.values < 0 || depth > maxDepth || typeof value === 'function') return undefined;
  if (typeof value === 'string') {
    const text = value.slice(0, Math.max(0, Math.min(maxTextLength, budget.characters))).toWellFormed();
    budget.characters -= text.length;
    return text.length < value.length ? `${text}…` : text;
  }
  if (typeof value === 'bigint' || value instanceof ExactNumber) return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.slice(0, maxListItems).map((item) => copyValue(item, depth + 1, budget) ?? null);
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (budget.values < 0) break;
    budget.characters -= key.length;
    const copied = copyValue(item, depth + 1, budget);
    if (copied !== undefined) entries.push([key, copied]);
  }
  return Object.fromEntries(entries);
}
