// Reasons as data: a message key and its parameters, which may be reasons themselves.

import type { why as words } from '../../../i18n/en/why.ts';
import { storedKey } from '../../../i18n/message-key.ts';
import type { Translate } from '../../../i18n/translator.ts';
import type { Reason } from '../../decision-log.ts';

/** All reason keys; the type requires every language to translate them. */
export type DecisionReasonKey = keyof typeof words;

/** A reason whose key is known to have a translation. */
export function reason(messageKey: DecisionReasonKey, params?: Record<string, unknown>): Reason {
  return params === undefined ? { word: messageKey } : { word: messageKey, params };
}

/** Formats a reason, including reasons among its parameters. */
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
  return t(storedKey(reasonData.word), params);
}

function isReason(value: unknown): value is Reason {
  return typeof value === 'object' && value !== null && typeof (value as Reason).word === 'string';
}
