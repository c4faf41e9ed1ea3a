// Formats the name of a resource for use inside a sentence.

import type { Language } from '../i18n/translator.ts';
import type { Noun } from './define-resource.ts';

/** `scope` or `scopes`; Japanese has only one form. */
export function resourceNoun(noun: Noun, language: Language, number: 'one' | 'many' = 'one'): string {
  return language === 'ja' ? noun.ja : noun.en[number === 'one' ? 0 : 1];
}

/** `an event`, `a user`, and `the profile` for a resource of which there is only one; Japanese has no articles. */
export function resourceNounWithArticle(noun: Noun, language: Language, singleton = false): string {
  const one = resourceNoun(noun, language);
  if (language === 'ja') return one;
  if (singleton) return `the ${one}`;
  // A noun with u starts with the sound of "user".
  return `${/^[aeio]/i.test(one) ? 'an' : 'a'} ${one}`;
}
