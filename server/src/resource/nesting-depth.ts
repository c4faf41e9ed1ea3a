// How deep plain data is nested: whatever writes it again does so recursively.

/** Objects and lists within one another that data may have. */
export const maxDepth = 100;

export function isNestedDeeper(value: unknown, levels = maxDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isNestedDeeper(inner, levels - 1));
}
