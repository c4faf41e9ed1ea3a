// The language that a caller asks for.
import { type Language, pickLanguage } from '@yagura/core/i18n/translator';

/** Longer headers of languages are nobody's. */
const maxLength = 1000;

/** English when none of ours is asked for. */
export function languageFor(acceptLanguage: string | undefined): Language {
  const requested = acceptLanguage?.slice(0, maxLength);
  return requested && /\b(en|ja)\b/i.test(requested) ? pickLanguage(requested) : 'en';
}
