// Search wildcards: `*` matches any run of characters, `?` one character, a backslash escapes the next
// character.

/** A part of a pattern: literal text, any run, or exactly one character. */
export type WildcardPart = { text: string } | { any: 'run' | 'one' };

/** Splits a pattern into its parts; adjacent literals are joined. */
export function wildcardParts(pattern: string): WildcardPart[] {
  const parts: WildcardPart[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') parts.push({ text });
    text = '';
  };
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index]!;
    if (character === '\\' && index + 1 < pattern.length) {
      index += 1;
      text += pattern[index];
    } else if (character === '*' || character === '?') {
      flush();
      parts.push({ any: character === '*' ? 'run' : 'one' });
    } else text += character;
  }
  flush();
  return parts;
}

/** Escapes literal text for use in a pattern. */
export function wildcardLiteral(text: string): string {
  return text.replace(/[*?\\]/g, '\\$&');
}

/** The same pattern for SQL `LIKE … ESCAPE '\'`. */
export function wildcardToLike(pattern: string): string {
  return wildcardParts(pattern)
    .map((part) => ('text' in part ? part.text.replace(/[%_\\]/g, '\\$&') : part.any === 'run' ? '%' : '_'))
    .join('');
}

/**
 * Whether the whole text matches the pattern, ignoring case; time is at most text length times pattern
 * length.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const parts = wildcardParts(pattern.toLowerCase()).flatMap((part): WildcardPart[] =>
    'text' in part ? [...part.text].map((character) => ({ text: character })) : [part],
  );
  const given = [...text.toLowerCase()];
  let at = 0;
  let next = 0;
  let runAt = -1;
  let runFrom = 0;
  while (at < given.length) {
    const part = parts[next];
    if (part && 'any' in part && part.any === 'run') {
      runAt = next;
      runFrom = at;
      next += 1;
    } else if (part && ('any' in part || part.text === given[at])) {
      at += 1;
      next += 1;
    } else if (runAt >= 0) {
      // Extend the last run by one character and try again after it.
      runFrom += 1;
      at = runFrom;
      next = runAt + 1;
    } else return false;
  }
  return parts.slice(next).every((part) => 'any' in part && part.any === 'run');
}
