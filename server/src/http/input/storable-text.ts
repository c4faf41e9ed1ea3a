// Finds text that the database cannot store: NUL characters and unpaired surrogates.

/** Dotted paths of the texts in a validated input, keys included, that cannot be stored. */
export function findUnstorableText(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!isStorable(key)) return [path];
    return findUnstorableText(inner, path === '' ? key : `${path}.${key}`);
  });
}

export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
