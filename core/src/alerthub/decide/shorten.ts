// Makes any data small enough to be kept with every call: long texts and lists are cut, deep and many values left out.

const maxTextLength = 4000;
const maxListItems = 100;
const deepest = 12;
/** Values and characters in all. */
const maxValues = 5000;
const maxCharacters = 262_144;

/** A copy within bounds; what does not fit is missing from it. Data without a prototype's doing: own properties only. */
export function shorten(value: unknown): unknown {
  const left = { values: maxValues, characters: maxCharacters };
  return copy(value, 0, left);
}

function copy(value: unknown, depth: number, left: { values: number; characters: number }): unknown {
  left.values -= 1;
  if (left.values < 0 || depth > deepest || typeof value === 'function') return undefined;
  if (typeof value === 'string') {
    const text = value.slice(0, Math.max(0, Math.min(maxTextLength, left.characters))).toWellFormed();
    left.characters -= text.length;
    return text.length < value.length ? `${text}…` : text;
  }
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.slice(0, maxListItems).map((item) => copy(item, depth + 1, left) ?? null);
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (left.values < 0) break;
    left.characters -= key.length;
    const copied = copy(item, depth + 1, left);
    if (copied !== undefined) entries.push([key, copied]);
  }
  return Object.fromEntries(entries);
}
