// Loads the translations with the small translator; the large one takes longer to load than a command.

import { createInterpolator } from '@yagura/core/i18n/interpolator';
import { loadTranslations } from '@yagura/core/i18n/load-translations';
import type { Language, Translate } from '@yagura/core/i18n/translator';

export async function loadTranslate(language: Language): Promise<Translate> {
  return createInterpolator(language, await loadTranslations(language));
}
