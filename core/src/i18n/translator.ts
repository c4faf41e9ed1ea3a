// The server's translator: i18next over these dictionaries. The browser and the CLI use a smaller one with
// the same results.
import { createInstance } from 'i18next';
import type { Language } from './language.ts';
import type { MessageArguments, MessageKey } from './message-key.ts';

export { isLanguage, type Language, languages, pickLanguage } from './language.ts';

export type Translate = <Key extends MessageKey>(key: Key, ...params: MessageArguments<Key>) => string;

/** A flat dictionary: dotted message key to sentence with `{{name}}` placeholders. */
export type Translations = Readonly<Record<string, string>>;

/**
 * Creates a translator. An unknown key is returned unchanged, so that a missing translation is visible and
 * testable.
 */
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
  return (key: string, params?: object) => instance.t(key, { ...params });
}
