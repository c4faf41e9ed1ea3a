// What an empty list says to somebody who may fill it.

import { resourceNoun } from '@yagura/core/format/resource-noun';
import type { Noun } from '@yagura/core/resource/define-resource';
import type { Translation } from '../../ui/translation.tsx';

/** The words of that resource, `web.empty-<name>`; those for any resource when it has none of its own. */
export function emptyHint(
  translation: Pick<Translation, 't' | 'language' | 'optionalText'>,
  of: { name: string; noun: Noun },
) {
  const noun = resourceNoun(of.noun, translation.language, 'one');
  return translation.optionalText(`web.empty-${of.name}`) ?? translation.t('web.empty', { noun });
}
