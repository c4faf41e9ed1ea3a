// Why a plain check refuses a value: a word and its values, ready to become a sentence or the `params` of a zod issue.
import type { Translate } from '../i18n/translator.ts';

/** `word` is a key of the rule words; the other members are its placeholders. */
export interface Violation {
  word: string;
  [placeholder: string]: unknown;
}

/** The sentence of a refusal. A list item's own refusal may be nested under `reason`. */
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
