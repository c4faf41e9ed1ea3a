// The part of a node stored as one JSON column.
import { hostInventoryShape } from '@yagura/core/inventory/host-inventory';

export const nodeDetailFields = Object.keys(hostInventoryShape);

/** Lists of the column whose entries have members that may be unknown. */
const lists = ['addresses', 'interfaces', 'neighbors'] as const;
/** Fields of rows that were stored before the fields existed. */
const laterFields = { routes: [], listening: [], evidence: [] };

/** Returns the fields in a row's JSON column; unknown members of list entries are absent instead of null. */
export function nodeDetailsOf(row: Record<string, unknown>): Record<string, unknown> {
  const stored = row.facts as Record<string, unknown>;
  const known = lists
    .filter((name) => stored[name] !== undefined)
    .map((name) => [name, withoutNulls(stored[name])]);
  return { ...laterFields, ...stored, ...Object.fromEntries(known) };
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === 'extraFields' ? member : withoutNulls(member)]),
  );
}
