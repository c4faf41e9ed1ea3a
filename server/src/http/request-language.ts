// The language that a caller asks for.
import { type Language, pickLanguage } from '@yagura/core/words/translate';

/** Longer headers of languages are nobody's. */
const maxLength = 1000;

/** English when none of ours is asked for. */
export function languageFor(acceptLanguage: string | undefined): Language {
  const asked = acceptLanguage?.slice(0, maxLength);
  return asked && /\b(en|ja)\b/i.test(asked) ? pickLanguage(asked) : 'en';
}
