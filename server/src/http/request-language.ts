// Selects the language of a request from its Accept-Language header.
import { en } from '@yagura/core/i18n/en/all';
import { ja } from '@yagura/core/i18n/ja/all';
import { createTranslator, type Language, pickLanguage, type Translate } from '@yagura/core/i18n/translator';

/** Characters of the header that are parsed. */
const maxLength = 1000;

const dictionaries = { en, ja };
const translators = new Map<Language, Translate>();

/** Falls back to English when no supported language is accepted. */
export function languageFor(acceptLanguage: string | undefined): Language {
  const requested = acceptLanguage?.slice(0, maxLength);
  return requested && /\b(en|ja)\b/i.test(requested) ? pickLanguage(requested) : 'en';
}

/** Problem texts use the caller's language, English by default. */
export function translatorFor(acceptLanguage: string | undefined): Translate {
  const language = languageFor(acceptLanguage);
  let translator = translators.get(language);
  if (!translator) {
    translator = createTranslator(language, dictionaries[language]);
    translators.set(language, translator);
  }
  return translator;
}
