// The search of managed nodes as a tree: words, fields, wildcards, ranges, networks and package versions.

export type SearchComparator = 'lt' | 'le' | 'gt' | 'ge';
export type VersionComparator = SearchComparator | 'eq';

/** One condition. `field: null` means the default fields (names, addresses, MACs, serials, packages). */
export type SearchTerm =
  /** With a field the whole value, without one a part of it; case is ignored. */
  | { op: 'text'; field: string | null; value: string }
  /** The whole value fits a wildcard pattern (wildcard.ts); case is ignored. */
  | { op: 'like'; field: string | null; pattern: string }
  | { op: 'present'; field: string }
  | { op: 'compare'; field: string; comparator: SearchComparator; value: string }
  /** `null` is an open end; an end counts itself when `includes…` says so. */
  | {
      op: 'range';
      field: string;
      from: string | null;
      to: string | null;
      includesFrom: boolean;
      includesTo: boolean;
    }
  /** An address inside a network, IPv4 or IPv6, in its canonical form without host bits. */
  | { op: 'cidr'; field: string | null; network: string }
  /** An item whose name fits the wildcard pattern and whose version compares, e.g. `package:openssl<3.0.0`. */
  | { op: 'version'; field: string; name: string; comparator: VersionComparator; version: string };

/** A parsed search. `and` and `or` hold two items or more; brackets become nesting and are never flattened. */
export type Search =
  | { op: 'all' }
  | { op: 'and' | 'or'; items: Search[] }
  | { op: 'not'; item: Search }
  | SearchTerm;

/** Bounds of a search text: UTF-16 units, nesting, terms. */
export const searchLimits = { length: 4096, depth: 32, terms: 100 } as const;

/** The fields that a search names, each once, in order of appearance. */
export function searchFields(search: Search): string[] {
  const fields = new Set<string>();
  const visit = (part: Search): void => {
    if ('items' in part) part.items.forEach(visit);
    else if ('item' in part) visit(part.item);
    else if (part.op !== 'all' && part.field !== null) fields.add(part.field);
  };
  visit(search);
  return [...fields];
}
