// Turns a text of operations into one that a voice says as people would: host names, addresses, times, numbers
// with units, abbreviations.
import type { VoiceLanguage } from '../spoken-text.ts';
import { english } from './english.ts';
import { japanese } from './japanese.ts';
import type { Speaker } from './speaker.ts';
import { rules } from './tokens.ts';

const speakers: Record<VoiceLanguage, Speaker> = { en: english, ja: japanese };

/** The spoken text has at most this many characters for each of the text, and some more. */
const maxGrowth = 4;
const extraCharacters = 200;

const comparison = /(>=|<=|≥|≤|>|<) ?(?=[-+]?\d)/y;
const repeated = /([^\p{L}\p{N}\s])\1{2,}/uy;
const operator = />=|<=|==|!=|->|=>|→|[><=&+@#%/\\°$≥≤]/y;
const wordPattern = /[A-Za-z]{1,63}(?:'[A-Za-z]{1,2}(?![A-Za-z]))?/y;
const plainRun = /[^A-Za-z0-9\s\p{P}\p{S}]+/uy;

/** Empty if the text has nothing that can be said. */
export function readAloud(text: string, language: VoiceLanguage): string {
  const speaker = speakers[language];
  const source = normalize(text, speaker);
  const said: string[] = [];
  let at = 0;
  while (at < source.length) {
    const token = readToken(source, at, speaker);
    said.push(token.said);
    at += token.length;
  }
  const spoken = tidy(said.join(''), speaker);
  return spoken.slice(0, maxGrowth * text.length + extraCharacters).trim();
}

interface Token {
  said: string;
  length: number;
}

function readToken(source: string, at: number, speaker: Speaker): Token {
  const token = (said: string, length: number): Token => ({
    said: `${speaker.gap}${said}${speaker.gap}`,
    length,
  });
  const previous = at === 0 ? ' ' : source[at - 1]!;
  if (!/[A-Za-z0-9]/.test(previous)) {
    const compared = matchAt(comparison, source, at);
    if (compared) {
      const amount = readToken(source, at + compared[0].length, speaker);
      const said = speaker.compare(compared[1]!, amount.said.trim());
      return token(said, compared[0].length + amount.length);
    }
    const isSign = /[-+]/.test(source[at]!);
    for (const [pattern, say] of isSign && /[)\]}/\\_.+-]/.test(previous) ? [] : rules) {
      const match = matchAt(pattern, source, at);
      const said = match && match[0] !== '' && say(match, speaker);
      if (said) return token(said, match[0].length);
    }
  }
  const run = matchAt(repeated, source, at);
  if (run) return { said: speaker.pause, length: run[0].length };
  const word = matchAt(wordPattern, source, at);
  if (word) return { said: speaker.word(word[0]), length: word[0].length };
  const plain = matchAt(plainRun, source, at);
  if (plain) return { said: plain[0], length: plain[0].length };
  const symbol = matchAt(operator, source, at);
  if (symbol) return token(speaker.symbols[symbol[0]]!, symbol[0].length);
  return { said: sayMark(source[at]!, speaker), length: 1 };
}

/** Punctuation, digits and whatever is left. */
function sayMark(mark: string, speaker: Speaker): string {
  if (mark === '\n') return speaker.stop;
  if (/[()[\]{}|:;«»「」『』【】*]/.test(mark)) return speaker.pause;
  if (mark === '-' || mark === '_' || mark === '~') return ' ';
  return mark;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/** One form for letters and digits of any width; characters that nobody reads are dropped. */
function normalize(text: string, speaker: Speaker): string {
  const source = text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\p{sc=Latin}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}\p{sc=Common}\p{M}]/gu, ' ')
    .normalize('NFKC');
  // Accents are letters of their own for a voice of another language.
  return speaker.gap ? source.normalize('NFD').replace(/\p{M}/gu, '').replace(/[’‘]/g, "'") : source;
}

/** Only what the voice can say, without doubled pauses. */
function tidy(text: string, speaker: Speaker): string {
  return speaker.gap
    ? text
        .replace(speaker.silent, ' ')
        .replace(/ +([.,;:?!])/g, '$1')
        .replace(/([.,;:?!])[.,;:]+(?=[\s.,;:]|$)/g, '$1')
        .replace(/ {2,}/g, ' ')
        .replace(/^[\s.,;:?!'-]+|[\s,;:'-]+$/g, '')
    : text
        .replace(/[.,]/g, '、')
        .replaceAll('!', '！')
        .replaceAll('?', '？')
        .replace(speaker.silent, ' ')
        .replace(/[ 、]*、[ 、]*/g, '、')
        .replace(/[ 、。]*。[ 、。]*/g, '。')
        .replace(/ {2,}/g, ' ')
        .replace(/^[ 、。？！ー]+|[ 、]+$/g, '');
}
