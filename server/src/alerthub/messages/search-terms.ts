// Splits text into search terms: words of letters and digits, and character pairs for scripts without word
// separators.

/**
 * Scripts written without spaces; every two adjacent characters are a term, so that any part of a sentence
 * can be found.
 */
const unsegmentedScript = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Hang}ー々〆]+/gu;
const words = /[\p{L}\p{N}_]+/gu;
/** Limits: characters read of a text, terms kept per text, characters per term. */
const maxText = 262_144;
const maxTerms = 4000;
const maxTerm = 64;
/** Maximum words of a search. */
const maxWords = 20;

/** Distinct terms of a text in order of first occurrence; character width and case are ignored. */
export function extractTerms(text: string): string[] {
  const terms = new Set<string>();
  const folded = fold(text.slice(0, maxText));
  for (const [run] of folded.matchAll(unsegmentedScript)) {
    for (const term of characterPairs(run)) terms.add(term);
    // The last character starts no pair, but must be searchable by itself.
    terms.add(Array.from(run).at(-1)!);
  }
  for (const [word] of folded.replaceAll(unsegmentedScript, ' ').matchAll(words))
    terms.add(word.slice(0, maxTerm));
  return [...terms].slice(0, maxTerms);
}

/**
 * Returns a tsquery that matches texts with all words, each as a prefix of a word or anywhere in a sentence;
 * null if there is nothing to search for.
 */
export function toSearchQuery(search: string): string | null {
  const folded = fold(search);
  const parts: string[] = [];
  for (const [run] of folded.matchAll(unsegmentedScript)) {
    const terms = characterPairs(run).map(quoted);
    // A single character, which may be two code units, matches as a prefix of pairs.
    parts.push(...(Array.from(run).length === 1 ? [`${terms[0]!}:*`] : terms));
  }
  for (const [word] of folded.replaceAll(unsegmentedScript, ' ').matchAll(words)) {
    parts.push(`${quoted(word.slice(0, maxTerm))}:*`);
  }
  return parts.length === 0 ? null : parts.slice(0, maxWords).join(' & ');
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Pairs of adjacent characters; a single character by itself. */
function characterPairs(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => characters[index]! + character);
}

/** Quotes a lexeme of a tsquery; terms contain no quotes or backslashes. */
function quoted(term: string): string {
  return `'${term}'`;
}
