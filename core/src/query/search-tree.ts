// Syntax tree of the managed node search: words, fields, wildcards, ranges, networks and package versions.

export type SearchComparator = 'lt' | 'le' | 'gt' | 'ge';
export type VersionComparator = SearchComparator | 'eq';

/** One condition. `field: null` means the default fields (names, addresses, MACs, serials, packages). */
export type SearchTerm =
  /** With a field, matches the whole value, otherwise a part of it; ignores case. */
  | { op: 'text'; field: string | null; value: string }
  /** The whole value matches a wildcard pattern (wildcard.ts); ignores case. */
  | { op: 'like'; field: string | null; pattern: string }
  | { op: 'present'; field: string }
  | { op: 'compare'; field: string; comparator: SearchComparator; value: string }
  /** `null` is an open end; `includes…` makes an end inclusive. */
  | {
      op: 'range';
      field: string;
      from: string | null;
      to: string | null;
      includesFrom: boolean;
      includesTo: boolean;
    }
  /** An address in a network, IPv4 or IPv6, in canonical form without host bits. */
  | { op: 'cidr'; field: string | null; network: string }
  /**
   * An item whose name matches the wildcard pattern and whose version compares, e.g. `package:openssl<3.0.0`.
   */
  | { op: 'version'; field: string; name: string; comparator: VersionComparator; version: string };

/**
 * A parsed search. `and` and `or` have at least two items; brackets become nesting and are never flattened.
 */
export type Search =
  | { op: 'all' }
  | { op: 'and' | 'or'; items: Search[] }
  | { op: 'not'; item: Search }
  | SearchTerm;

/** Limits of a search text: UTF-16 units, nesting, terms. */
export const searchLimits = { length: 4096, depth: 32, terms: 100 } as const;

/** Fields used by a search, each once, in order of appearance. */
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
