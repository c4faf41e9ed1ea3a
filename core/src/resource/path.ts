// API paths and methods of resources, without schemas, so that commands that need none do not load them.

/** Methods that edit an item, the preferred one first. */
export function editMethods({ update }: { update: 'put' | 'patch' | 'both' }): ['PUT' | 'PATCH', ...'PUT'[]] {
  if (update === 'both') return ['PATCH', 'PUT'];
  return update === 'patch' ? ['PATCH'] : ['PUT'];
}

/** Names of the `{…}` parameters of an API path, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}

/** Replaces the `{…}` parameters of an API path with URL-encoded values; throws if one is missing. */
export function expandPath(path: string, values: Record<string, string | undefined>): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = values[name];
    if (value === undefined || value === '') throw new Error(`path ${path} wants ${name}`);
    return encodeURIComponent(value);
  });
}
