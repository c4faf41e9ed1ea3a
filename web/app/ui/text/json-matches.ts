// Finds a text in the names and values of a JSON value, in display order.

/** Maximum depth that is expanded; deeper values are printed as text. */
const maxDepth = 40;
/** Maximum hits; the search stops there. */
export const maxMatches = 1000;

/** `path` addresses a member by its indexes from the root, e.g. `/0/3`; the root is empty. */
export interface JsonMatch {
  path: string;
  part: 'name' | 'value';
}

/**
 * Returns the members of a value with their names (undefined in lists); null for a value printed on one line.
 */
export function jsonMembers(
  value: unknown,
  level: number,
): (readonly [string | undefined, unknown])[] | null {
  if (typeof value !== 'object' || value === null || level >= maxDepth) return null;
  return Array.isArray(value) ? value.map((item) => [undefined, item] as const) : Object.entries(value);
}

/** Prints a value on one line. */
export function formatScalar(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** Returns a case-insensitive pattern for the text; undefined if it is empty. */
export function searchPattern(text: string): RegExp | undefined {
  return text === '' ? undefined : new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi');
}

/** Returns the hits up to the maximum; none for an empty text. */
export function findMatches(value: unknown, text: string): JsonMatch[] {
  const pattern = searchPattern(text);
  const matches: JsonMatch[] = [];
  if (!pattern) return matches;
  const found = (shown: string) => shown.search(pattern) >= 0;
  const visit = (path: string, level: number, name: string | undefined, each: unknown): void => {
    if (matches.length >= maxMatches) return;
    if (name !== undefined && found(formatScalar(name))) matches.push({ path, part: 'name' });
    const members = jsonMembers(each, level);
    if (!members) {
      if (matches.length < maxMatches && found(formatScalar(each))) matches.push({ path, part: 'value' });
      return;
    }
    for (const [index, [key, member]] of members.entries()) visit(`${path}/${index}`, level + 1, key, member);
  };
  visit('', 0, undefined, value);
  return matches;
}

/** Returns the paths of the branches that contain these hits, without the hits' own paths. */
export function branchesToOpen(matches: readonly JsonMatch[]): Set<string> {
  const branches = new Set<string>();
  for (const { path } of matches) {
    let branch = path;
    while (branch !== '') {
      branch = branch.slice(0, branch.lastIndexOf('/'));
      if (branches.has(branch)) break;
      branches.add(branch);
    }
  }
  return branches;
}

/** Counts the lines of a fully expanded value, up to a bound. */
export function countLines(value: unknown, bound: number): number {
  let lines = 0;
  const visit = (each: unknown, level: number): void => {
    lines += 1;
    for (const [, member] of jsonMembers(each, level) ?? []) {
      if (lines >= bound) return;
      visit(member, level + 1);
    }
  };
  visit(value, 0);
  return lines;
}
