// Resolves dotted paths in plain rows; shared by the in-memory evaluators of the query grammars.

/**
 * All values at a dotted path. Lists along the path are expanded, a key that itself contains dots takes
 * precedence, inherited properties are ignored.
 */
export function fieldValues(row: unknown, path: string): unknown[] {
  const found: unknown[] = [];
  collect(row, path, found);
  return found;
}

function collect(value: unknown, path: string | undefined, found: unknown[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, path, found);
    return;
  }
  if (path === undefined) {
    if (value !== undefined) found.push(value);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Record<string, unknown>;
  if (Object.hasOwn(holder, path)) {
    collect(holder[path], undefined, found);
    return;
  }
  const dot = path.indexOf('.');
  if (dot < 0) return;
  const head = path.slice(0, dot);
  if (Object.hasOwn(holder, head)) collect(holder[head], path.slice(dot + 1), found);
}
