// Required: something was entered.

/** False for nothing, blank text, an empty list and a number that is none. */
export function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return value.trim() !== '';
  if (typeof value === 'number') return !Number.isNaN(value);
  return !Array.isArray(value) || value.length > 0;
}
