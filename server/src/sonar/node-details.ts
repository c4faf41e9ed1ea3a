// The part of a node stored as one JSON column.
import { hostInventoryShape } from '@yagura/core/inventory/host-inventory';

export const nodeDetailFields = Object.keys(hostInventoryShape);

/** Returns the fields in a row's JSON column. */
export function nodeDetailsOf(row: Record<string, unknown>): Record<string, unknown> {
  return row.facts as Record<string, unknown>;
}
