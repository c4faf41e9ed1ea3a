import type { Language } from '@yagura/core/i18n/translator';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { resourceNoun, resourceNounWithArticle } from '@yagura/core/resource/resource-noun';

/** Returns `scope` (0) or `scopes` (1) in the language of the terminal. */
export function nounOf(meta: ResourceMeta, { language }: { language: Language }, count: 0 | 1): string {
  return resourceNoun(meta.noun, language, count === 0 ? 'one' : 'many');
}

/** Returns `an event`, or `the profile` for a resource of which there is only one. */
export function nounWithArticle(meta: ResourceMeta, { language }: { language: Language }): string {
  return resourceNounWithArticle(meta.noun, language, meta.singleton);
}
