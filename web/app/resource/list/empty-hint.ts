// Text of an empty list for users who may create items.

import type { Noun } from '@yagura/core/resource/define-resource';
import { resourceNoun } from '@yagura/core/resource/resource-noun';
import type { Translation } from '../../ui/translation.tsx';

/** Returns the resource's own text (`web.empty-<name>`), or the generic one if it has none. */
export function emptyHint(
  translation: Pick<Translation, 't' | 'language' | 'optionalText'>,
  of: { name: string; noun: Noun },
) {
  const noun = resourceNoun(of.noun, translation.language, 'one');
  return translation.optionalText(`web.empty-${of.name}`) ?? translation.t('web.empty', { noun });
}
