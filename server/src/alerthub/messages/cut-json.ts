// Completes the beginning of a JSON text, so that what it contains can be read.

/**
 * Ends the text after the last complete value and closes the objects and lists that are open there. Linear in the
 * length of the text. The result for a text that is not the beginning of JSON is no JSON either.
 */
export function closeCutJson(text: string): string {
  const closers: string[] = [];
  /** Only a text, a number or a word can follow, so that `closers` are those of this position. */
  let end = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isInText) {
      if (character === '\\') at++;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === ',') end = at;
    else if (character === '{' || character === '[') {
      closers.push(character === '{' ? '}' : ']');
      end = at + 1;
    } else if (character === '}' || character === ']') {
      closers.pop();
      end = at + 1;
    }
  }
  return text.slice(0, end) + closers.reverse().join('');
}
