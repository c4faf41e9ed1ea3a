// Where a text stands in a JSON value: the names and values that hold it, in the order in which they are drawn.

/** Levels drawn at all; deeper ones are printed as text. */
const maxDepth = 40;
/** Hits found at most; the search ends there. */
export const maxMatches = 1000;

/** `path` names a member by its places from the root, such as `/0/3`; the root is empty. */
export interface JsonMatch {
  path: string;
  part: 'name' | 'value';
}

/** The members of a value with their names (undefined in lists); null for what is printed on one line. */
export function jsonMembers(
  value: unknown,
  level: number,
): (readonly [string | undefined, unknown])[] | null {
  if (typeof value !== 'object' || value === null || level >= maxDepth) return null;
  return Array.isArray(value) ? value.map((item) => [undefined, item] as const) : Object.entries(value);
}

/** A value on one line. */
export function formatScalar(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** Finds the text whatever its case; undefined for an empty one. */
export function searchPattern(text: string): RegExp | undefined {
  return text === '' ? undefined : new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi');
}

/** At most `maxHits` hits; none for an empty text. */
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

/** Paths of the branches that hold these hits, without the hits' own. */
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

/** Lines that a value takes when everything is open, counted up to a bound. */
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
