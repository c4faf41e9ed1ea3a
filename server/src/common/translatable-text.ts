// A text as the key of a translation and its parameters: for texts that are stored, or created where the language of
// the reader is not known.
import { en } from '@yagura/core/i18n/en/all';
import { createInterpolator } from '@yagura/core/i18n/interpolator';
import { type MessageArguments, type MessageKey, storedKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';

export interface TranslatableText {
  word: MessageKey;
  /** They can be translatable themselves. */
  params?: Readonly<Record<string, unknown>> | undefined;
}

const english = createInterpolator('en', en);

/** Checks the parameters that the message needs. */
export function translatable<Key extends MessageKey>(
  word: Key,
  ...[params]: MessageArguments<Key>
): TranslatableText {
  return params === undefined ? { word } : { word, params: { ...(params as object) } };
}

/** The text in English, or in the language of `t`. */
export function textOf({ word, params = {} }: TranslatableText, t: Translate = english): string {
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    isTranslatable(value) ? textOf(value, t) : value,
  ]);
  return t(storedKey(word), Object.fromEntries(texts));
}

export function isTranslatable(value: unknown): value is TranslatableText {
  return typeof value === 'object' && value !== null && 'word' in value;
}
