// Length of text in the characters that a person sees.
import { countCharacters } from '../format/graphemes.ts';
import type { Violation } from './violation.ts';

/** Refuses text with fewer than `min` or more than `max` characters; one character is one grapheme. */
export function checkTextLength(text: string, limits: { min?: number; max?: number }): Violation | undefined {
  const { min = 0, max = Number.POSITIVE_INFINITY } = limits;
  const count = countCharacters(text, Math.max(min, max));
  if (count < min) return { word: 'rule.minLength', count: min };
  if (count > max) return { word: 'rule.maxLength', count: max };
  return undefined;
}
