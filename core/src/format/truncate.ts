// Truncates long text for tables, headers and names.
import { countCharacters, firstCharacters, lastCharacters } from './graphemes.ts';

/** The text itself, or its first 100 graphemes and an ellipsis. */
export function truncate(text: string, characters = 100): string {
  const start = firstCharacters(text, characters);
  return start.length === text.length ? text : `${start}…`;
}

/** The text itself, or its start and end with an ellipsis between, which keeps names apart that start alike. */
export function truncateMiddle(text: string, characters: number): string {
  if (countCharacters(text, characters) <= characters) return text;
  const atEnd = Math.floor((characters - 1) / 2);
  const start = firstCharacters(text, characters - 1 - atEnd).trimEnd();
  return `${start}…${lastCharacters(text, atEnd).trimStart()}`;
}
