// Characters that a name must not have: they break the line or disguise the text of everything that shows the name.
import type { Violation } from './violation.ts';

/**
 * Controls, the separators of lines and paragraphs, and the characters that turn the direction of text (Unicode
 * Standard Annex 9). Marks of direction alone (U+200E, U+200F) and joiners are parts of ordinary names.
 */
const refused = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const refusedRuns = new RegExp(`(?:${refused.source})+`, 'gu');

/** Names the first character that a name must not have. */
export function checkNameCharacters(text: string): Violation | undefined {
  const found = refused.exec(text)?.[0];
  if (found === undefined) return undefined;
  const code = found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return { word: 'rule.nameCharacters', character: `U+${code}` };
}

/** A text from outside as a name: what a name must not have becomes a space, and spaces around it are removed. */
export function cleanName(text: string): string {
  return text.replace(refusedRuns, ' ').trim();
}
