// Estimates whether a password is easy to guess, using lists of common passwords and their usual variations.
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Maximum characters measured: the time grows with length, and a prefix that is hard to guess stays so. */
const maxMeasuredLength = 64;
/** Minimum score (0 to 4): at least 10^8 guesses. */
const minScore = 3;
/** Minimum score of the remainder after removing the user's own words. */
const minScoreWithoutPersonalWords = 2;

let factory: ZxcvbnFactory | undefined;

/** `own` holds words an attacker would try first: the user's name and address. */
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
