// The part of a node that is stored as one piece of JSON.
import { nodeShape } from '@yagura/core/inventory/node-shape';

export const factFields = Object.keys(nodeShape);

/** The facts of a row, one field each. */
export function factsOf(row: Record<string, unknown>): Record<string, unknown> {
  return row.facts as Record<string, unknown>;
}
