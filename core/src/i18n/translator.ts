// The translator of the server: i18next over the dictionaries of this room. The browser and the terminal have a smaller one with the same results.
import { createInstance } from 'i18next';
import type { Language } from './language.ts';

export { fallbackLanguage, isLanguage, type Language, languages, pickLanguage } from './language.ts';

export type Translate = (key: string, params?: Record<string, unknown>) => string;

/** A flat dictionary: dotted key to sentence with `{{name}}` placeholders. */
export type Translations = Readonly<Record<string, string>>;

/** A translator over one dictionary. An unknown key comes back as itself, so that a missing word is visible and testable. */
export function createTranslator(language: Language, translations: Translations): Translate {
  const instance = createInstance();
  instance.init({
    lng: language,
    resources: { [language]: { translation: translations } },
    keySeparator: false,
    nsSeparator: false,
    fallbackLng: false,
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  return (key, params) => instance.t(key, params ?? {});
}
