// The words of the terminal. Most are looked up as they stand; the translator comes in for those with values in them.
import { loadDictionary } from '@yagura/core/words/dictionary';
import { type Language, type Translate, translator } from '@yagura/core/words/translate';

/** A translator that starts fast: a command names a hundred words that are shown only by its help. */
export async function loadWords(language: Language): Promise<Translate> {
  const dictionary = await loadDictionary(language);
  let full: Translate | undefined;
  return (key, params) => {
    if (params === undefined) return Object.hasOwn(dictionary, key) ? dictionary[key]! : key;
    full ??= translator(language, dictionary);
    return full(key, params);
  };
}
