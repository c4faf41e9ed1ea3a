// Truncates long text for tables and headers.
import { firstCharacters } from './graphemes.ts';

/** The text itself, or its first 100 graphemes and an ellipsis. */
export function truncate(text: string, characters = 100): string {
  const start = firstCharacters(text, characters);
  return start.length === text.length ? text : `${start}…`;
}
