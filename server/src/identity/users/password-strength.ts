// Whether a password would be guessed soon: measured against lists of common passwords and their usual variations.
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Measuring takes longer with length, and what is hard to guess in its first characters stays so. */
const maxMeasuredLength = 64;
/** Of 0 to 4: at least 10^8 guesses. */
const minScore = 3;
/** What is left when the person's own words are taken out. */
const minScoreWithoutPersonalWords = 2;

let factory: ZxcvbnFactory | undefined;

/** `own` holds words that whoever guesses would try first: the person's name and address. */
export function isGuessablePassword(password: string, personalWords: readonly string[]): boolean {
  factory ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  const words = personalWords
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length > 2)
    .slice(0, 20);
  const measuredPart = password.slice(0, maxMeasuredLength);
  if (factory.check(measuredPart, ['yagura']).score < minScore) return true;
  const rest = words.reduce(
    (text, word) => text.replaceAll(new RegExp(escapeRegExp(word), 'giu'), ''),
    measuredPart,
  );
  return rest !== measuredPart && (rest === '' || factory.check(rest).score < minScoreWithoutPersonalWords);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
