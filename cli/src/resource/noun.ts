import { nounWithin } from '@yagura/core/format/noun';
import type { Language } from '@yagura/core/words/translate';
import type { ResourceMeta } from './entry.ts';

/** `scope` (0) or `scopes` (1), in the language of the terminal. */
export function nounOf(meta: ResourceMeta, { language }: { language: Language }, count: 0 | 1): string {
  return nounWithin(meta.noun, language, count === 0 ? 'one' : 'many');
}
