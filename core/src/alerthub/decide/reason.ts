// Reasons are data: a word of the dictionary and its values; a value may itself be a reason.
import type { why as words } from '../../words/en/why.ts';
import type { Translate } from '../../words/translate.ts';
import type { Reason } from '../why.ts';

/** Every word a decision may use; the dictionaries are typed to have a sentence for each. */
export type DecisionNoteKey = keyof typeof words;

/** A reason whose word is known to have a sentence. */
export function reason(word: DecisionNoteKey, params?: Record<string, unknown>): Reason {
  return params === undefined ? { word } : { word, params };
}

/** The sentence of a reason; reasons among its values become sentences too. */
export function formatReason(said: Reason, t: Translate, more: Record<string, unknown> = {}): string {
  return say(said, t, more, 0);
}

function say(said: Reason, t: Translate, more: Record<string, unknown>, depth: number): string {
  const params: Record<string, unknown> = { ...more };
  for (const [name, value] of Object.entries(said.params ?? {})) {
    params[name] = isReason(value) && depth < 4 ? say(value, t, {}, depth + 1) : value;
  }
  return t(said.word, params);
}

function isReason(value: unknown): value is Reason {
  return typeof value === 'object' && value !== null && typeof (value as Reason).word === 'string';
}
