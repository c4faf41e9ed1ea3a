// Limits the nesting of plain data, since it is serialized recursively.

/** Maximum nesting of objects and arrays. */
export const maxDepth = 100;

export function isNestedDeeper(value: unknown, levels = maxDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isNestedDeeper(inner, levels - 1));
}
