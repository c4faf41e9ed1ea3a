// Sample values for the variables of a template.

/** Returns the distinct variable names in the template, without sections and comments. */
export function variableNames(template: string): string[] {
  const found = [...template.matchAll(/\{\{\{?\s*&?\s*([^\s#^/!&{}>=]{1,100})\s*\}?\}\}/g)].map(
    (match) => match[1]!,
  );
  return [...new Set(found)].slice(0, 20);
}

/** Expands dotted names (`a.b` is member b of a) to the nesting of call parameters. */
export function toNestedObject(samples: Record<string, string>): Record<string, unknown> {
  const root: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [path, value] of Object.entries(samples)) {
    const parts = path.split('.');
    let at = root;
    for (const part of parts.slice(0, -1)) {
      const inner = at[part];
      const next = typeof inner === 'object' && inner !== null ? inner : (Object.create(null) as object);
      at[part] = next;
      at = next as Record<string, unknown>;
    }
    at[parts.at(-1)!] = value;
  }
  return JSON.parse(JSON.stringify(root)) as Record<string, unknown>;
}
