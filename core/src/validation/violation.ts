// Result of a failed check: a message key and its placeholders, for a sentence or the `params` of a zod
// issue.
import type { MessageKey } from '../i18n/message-key.ts';
import type { Translate } from '../i18n/translator.ts';

/** `word` is a message key of the rule translations; the other members are its placeholders. */
export interface Violation {
  word: MessageKey;
  [placeholder: string]: unknown;
}

/** The sentence for a failed check. The result for a list item may be nested under `reason`. */
export function formatViolation({ word, ...placeholders }: Violation, t: Translate): string {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(placeholders)) {
    values[name] = isViolation(value)
      ? formatViolation(value, t)
      : Array.isArray(value)
        ? value.join(', ')
        : value;
  }
  return t(word, values);
}

function isViolation(value: unknown): value is Violation {
  return typeof value === 'object' && value !== null && typeof (value as Violation).word === 'string';
}
