// How deep plain data is nested: whatever writes it again does so recursively.

/** Objects and lists within one another that data may have. */
export const maxDepth = 100;

export function isDeeper(value: unknown, levels = maxDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
