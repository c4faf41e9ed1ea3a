// Reads a line the way bash does, and writes candidates the way bash inserts them.

export interface BashLine {
  /** The words without their quotes; the last one may be incomplete. */
  words: string[];
  /** What bash is to insert for a candidate of the last word. */
  toInsertion(candidate: string): string;
}

/**
 * Bash replaces only what follows the last word break or the open quote, and inserts text unchanged: the
 * insertion starts there and is quoted like the rest of the word.
 */
export function readBashLine(line: string, wordBreaks: string): BashLine {
  const words: string[] = [];
  let word = '';
  let isStarted = false;
  let quote = '';
  /** Characters of the word that bash keeps, and those it kept before the open quote. */
  let kept = 0;
  let keptBeforeQuote = 0;
  for (let at = 0; at < line.length; at += 1) {
    let character = line[at]!;
    if (quote === '' && /\s/.test(character)) {
      if (isStarted) words.push(word);
      [word, isStarted, kept] = ['', false, 0];
      continue;
    }
    isStarted = true;
    if (character === quote) {
      quote = '';
      kept = keptBeforeQuote;
    } else if (quote === '' && (character === '"' || character === "'")) {
      quote = character;
      keptBeforeQuote = kept;
      kept = word.length;
    } else {
      const isEscape = character === '\\' && quote !== "'";
      const next = line[at + 1] ?? '';
      if (isEscape && (quote === '' || '$`"\\'.includes(next))) {
        at += 1;
        character = next;
      }
      word += character;
      if (quote === '' && !isEscape && wordBreaks.includes(character)) kept = word.length;
    }
  }
  return {
    words: [...words, word],
    toInsertion: (candidate) => quoteLike(quote, candidate.slice(kept)),
  };
}

function quoteLike(quote: string, text: string): string {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  if (quote === '"') return text.replace(/[$`"\\]/g, '\\$&');
  return text.replace(/[^\w.,:=@%+/\u0080-\uffff-]/g, '\\$&');
}
