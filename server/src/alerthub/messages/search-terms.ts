// The terms by which a text is found: words of letters and digits, and pairs of characters where words are not parted.

/** Scripts that write without spaces; each two neighbours are a term, so that any part of a sentence can be found. */
const unsegmentedScript = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Hang}ー々〆]+/gu;
const words = /[\p{L}\p{N}_]+/gu;
/** Characters that are read of a text, terms that are kept of it, and characters of a term. */
const maxText = 262_144;
const maxTerms = 4000;
const maxTerm = 64;
/** Words of a search; more than anybody types. */
const maxWords = 20;

/** The different terms of a text, in the order in which they first stand in it. Width and case make no difference. */
export function extractTerms(text: string): string[] {
  const terms = new Set<string>();
  const folded = fold(text.slice(0, maxText));
  for (const [run] of folded.matchAll(unsegmentedScript)) {
    for (const term of characterPairs(run)) terms.add(term);
    // It begins no pair, and is to be found by itself all the same.
    terms.add(Array.from(run).at(-1)!);
  }
  for (const [word] of folded.replaceAll(unsegmentedScript, ' ').matchAll(words))
    terms.add(word.slice(0, maxTerm));
  return [...terms].slice(0, maxTerms);
}

/** What finds texts with all of the words, each as the beginning of a word or anywhere in a sentence; null when none can be looked for. */
export function toSearchQuery(search: string): string | null {
  const folded = fold(search);
  const parts: string[] = [];
  for (const [run] of folded.matchAll(unsegmentedScript)) {
    // One character is the beginning of every pair that it begins.
    parts.push(...(run.length === 1 ? [`${quoted(run)}:*`] : characterPairs(run).map(quoted)));
  }
  for (const [word] of folded.replaceAll(unsegmentedScript, ' ').matchAll(words)) {
    parts.push(`${quoted(word.slice(0, maxTerm))}:*`);
  }
  return parts.length === 0 ? null : parts.slice(0, maxWords).join(' & ');
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Neighbours by twos; a single character by itself. */
function characterPairs(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => characters[index]! + character);
}

/** As a lexeme of a tsquery; terms hold no quotes or backslashes. */
function quoted(term: string): string {
  return `'${term}'`;
}
