// Where a text stands in a JSON value: the names and values that hold it, in the order in which they are drawn.

/** Levels drawn at all; deeper ones are printed as text. */
const maxLevels = 40;
/** Hits found at most; the search ends there. */
export const maxHits = 1000;

/** `path` names a member by its places from the root, such as `/0/3`; the root is empty. */
export interface JsonHit {
  path: string;
  part: 'name' | 'value';
}

/** The members of a value with their names (undefined in lists); null for what is printed on one line. */
export function membersOf(value: unknown, level: number): (readonly [string | undefined, unknown])[] | null {
  if (typeof value !== 'object' || value === null || level >= maxLevels) return null;
  return Array.isArray(value) ? value.map((item) => [undefined, item] as const) : Object.entries(value);
}

/** A value on one line. */
export function printed(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** Finds the text whatever its case; undefined for an empty one. */
export function patternOf(text: string): RegExp | undefined {
  return text === '' ? undefined : new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi');
}

/** At most `maxHits` hits; none for an empty text. */
export function hitsOf(value: unknown, text: string): JsonHit[] {
  const pattern = patternOf(text);
  const hits: JsonHit[] = [];
  if (!pattern) return hits;
  const found = (shown: string) => shown.search(pattern) >= 0;
  const visit = (path: string, level: number, name: string | undefined, each: unknown): void => {
    if (hits.length >= maxHits) return;
    if (name !== undefined && found(printed(name))) hits.push({ path, part: 'name' });
    const members = membersOf(each, level);
    if (!members) {
      if (hits.length < maxHits && found(printed(each))) hits.push({ path, part: 'value' });
      return;
    }
    for (const [place, [key, member]] of members.entries()) visit(`${path}/${place}`, level + 1, key, member);
  };
  visit('', 0, undefined, value);
  return hits;
}

/** Paths of the branches that hold these hits, without the hits' own. */
export function branchesOf(hits: readonly JsonHit[]): Set<string> {
  const branches = new Set<string>();
  for (const { path } of hits) {
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
export function linesOf(value: unknown, bound: number): number {
  let lines = 0;
  const visit = (each: unknown, level: number): void => {
    lines += 1;
    for (const [, member] of membersOf(each, level) ?? []) {
      if (lines >= bound) return;
      visit(member, level + 1);
    }
  };
  visit(value, 0);
  return lines;
}
