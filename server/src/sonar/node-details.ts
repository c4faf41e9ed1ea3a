// The part of a node that is stored as one piece of JSON.
import { hostInventoryShape } from '@yagura/core/inventory/host-inventory';

export const nodeDetailFields = Object.keys(hostInventoryShape);

/** The facts of a row, one field each. */
export function nodeDetailsOf(row: Record<string, unknown>): Record<string, unknown> {
  return row.facts as Record<string, unknown>;
}
