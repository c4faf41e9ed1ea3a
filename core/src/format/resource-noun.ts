// Formats the name of a resource for use inside a sentence.

import type { Language } from '../i18n/translator.ts';
import type { Noun } from '../resource/define-resource.ts';

/** `scope` or `scopes`; Japanese has only one form. */
export function resourceNoun(noun: Noun, language: Language, number: 'one' | 'many' = 'one'): string {
  return language === 'ja' ? noun.ja : noun.en[number === 'one' ? 0 : 1];
}
