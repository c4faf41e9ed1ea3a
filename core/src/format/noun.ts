// The name of a resource inside a sentence.
import type { Noun } from '../resource/define-resource.ts';
import type { Language } from '../words/translate.ts';

/** `scope` or `scopes`; Japanese has one form. */
export function nounWithin(noun: Noun, language: Language, number: 'one' | 'many' = 'one'): string {
  return language === 'ja' ? noun.ja : noun.en[number === 'one' ? 0 : 1];
}
