// Shortens long text for tables and headers (spec section 9).
import { firstCharacters } from './graphemes.ts';

/** The text itself, or its first 100 characters and an ellipsis. Never cuts inside a character that a person sees. */
export function truncate(text: string, characters = 100): string {
  const start = firstCharacters(text, characters);
  return start.length === text.length ? text : `${start}…`;
}
