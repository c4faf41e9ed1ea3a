// Reasons are data: a word of the dictionary and its values; a value may itself be a reason.
import type { why as words } from '../../../i18n/en/why.ts';
import type { Translate } from '../../../i18n/translator.ts';
import type { Reason } from '../../decision-log.ts';

/** Every word a decision may use; the dictionaries are typed to have a sentence for each. */
export type DecisionReasonKey = keyof typeof words;

/** A reason whose word is known to have a sentence. */
export function reason(messageKey: DecisionReasonKey, params?: Record<string, unknown>): Reason {
  return params === undefined ? { word: messageKey } : { word: messageKey, params };
}

/** The sentence of a reason; reasons among its values become sentences too. */
export function formatReason(reasonData: Reason, t: Translate, more: Record<string, unknown> = {}): string {
  return formatAtDepth(reasonData, t, more, 0);
}

function formatAtDepth(
  reasonData: Reason,
  t: Translate,
  more: Record<string, unknown>,
  depth: number,
): string {
  const params: Record<string, unknown> = { ...more };
  for (const [name, value] of Object.entries(reasonData.params ?? {})) {
    params[name] = isReason(value) && depth < 4 ? formatAtDepth(value, t, {}, depth + 1) : value;
  }
  return t(reasonData.word, params);
}

function isReason(value: unknown): value is Reason {
  return typeof value === 'object' && value !== null && typeof (value as Reason).word === 'string';
}
