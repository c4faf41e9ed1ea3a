// Small readers that the parsers of command output share.

/** `NAME=value` lines of a shell file such as os-release; quotes are removed. */
export function readAssignments(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line.trim());
    if (match) found.set(match[1]!, match[2]!.replace(/^(["'])(.*)\1$/, '$2').replace(/\\(["'$`\\])/g, '$1'));
  }
  return found;
}

/** A JSON array of objects; empty if it is none. */
export function readJsonRows(text: string | undefined): Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(text?.trim() || '[]');
    return Array.isArray(value) ? objectsOf(value) : [];
  } catch {
    return [];
  }
}

export function objectsOf(values: readonly unknown[]): Record<string, unknown>[] {
  return values.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null);
}

/** The first characters of a printable, single-line text; undefined if nothing is left. */
export function cleanValue(text: string | undefined, max = 255): string | undefined {
  const cleaned = text
    ?.replace(/[\x00-\x1f\x7f]+/g, ' ')
    .trim()
    .slice(0, max);
  return cleaned === '' ? undefined : cleaned;
}

/** Without members that are undefined; undefined if none is left. */
export function definedMembers<T extends object>(value: T): T | undefined {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.length > 0 ? (Object.fromEntries(members) as T) : undefined;
}
