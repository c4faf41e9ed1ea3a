// Selects the language of a request from its Accept-Language header.
import { type Language, pickLanguage } from '@yagura/core/i18n/translator';

/** Characters of the header that are parsed. */
const maxLength = 1000;

/** Falls back to English when no supported language is accepted. */
export function languageFor(acceptLanguage: string | undefined): Language {
  const requested = acceptLanguage?.slice(0, maxLength);
  return requested && /\b(en|ja)\b/i.test(requested) ? pickLanguage(requested) : 'en';
}
