// The words of the terminal, by the small translator: the large one takes longer to load than a command.
import { loadTranslations } from '@yagura/core/words/dictionary';
import { interpolator } from '@yagura/core/words/interpolate';
import type { Language, Translate } from '@yagura/core/words/translate';

export async function loadTranslate(language: Language): Promise<Translate> {
  return interpolator(language, await loadTranslations(language));
}
