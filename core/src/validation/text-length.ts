// Text length validation in graphemes.
import { countCharacters } from '../format/graphemes.ts';
import type { Violation } from './violation.ts';

/** Rejects text with fewer than `min` or more than `max` graphemes. */
export function checkTextLength(text: string, limits: { min?: number; max?: number }): Violation | undefined {
  const { min = 0, max = Number.POSITIVE_INFINITY } = limits;
  const count = countCharacters(text, Math.max(min, max));
  if (count < min) return { word: 'rule.minLength', count: min };
  if (count > max) return { word: 'rule.maxLength', count: max };
  return undefined;
}
