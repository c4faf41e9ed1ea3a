// List size validation.
import type { Violation } from './violation.ts';

/** Rejects a list with fewer than `min` or more than `max` items. */
export function checkListSize(
  items: readonly unknown[],
  limits: { min?: number; max?: number },
): Violation | undefined {
  const { min = 0, max = Number.POSITIVE_INFINITY } = limits;
  if (items.length < min) return { word: 'rule.minSize', count: min };
  if (items.length > max) return { word: 'rule.maxSize', count: max };
  return undefined;
}
