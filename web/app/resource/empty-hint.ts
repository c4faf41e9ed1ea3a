// What an empty list says to somebody who may fill it.

import { nounWithin } from '@yagura/core/format/noun';
import type { Noun } from '@yagura/core/resource/define-resource';
import type { Translation } from '../ui/words.tsx';

/** The words of that resource, `web.empty-<name>`; those for any resource when it has none of its own. */
export function emptyHint(
  words: Pick<Translation, 't' | 'language' | 'optional'>,
  of: { name: string; noun: Noun },
) {
  const noun = nounWithin(of.noun, words.language, 'one');
  return words.optional(`web.empty-${of.name}`) ?? words.t('web.empty', { noun });
}
