// Counts the elements of a rule by their outcome.
import type { ElementDecision } from '../../decision-log.ts';

export function countOutcomes(
  elements: readonly Pick<ElementDecision, 'outcome'>[],
): Record<ElementDecision['outcome'], number> {
  const counts = { matched: 0, unmatched: 0, failed: 0 };
  for (const { outcome } of elements) counts[outcome] += 1;
  return counts;
}
