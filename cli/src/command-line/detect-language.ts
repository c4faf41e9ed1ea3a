// Whose language the terminal speaks.
import { isLanguage, type Language } from '@yagura/core/i18n/language';

/** A choice, else the locale of the terminal (POSIX order), else English, which is what the C locale speaks. */
export function detectLanguage(env: NodeJS.ProcessEnv, choice?: string): Language {
  const requested = [choice, env.YAGURA_LANG, env.LC_ALL, env.LC_MESSAGES, env.LANG].find(Boolean);
  const primary = requested?.toLowerCase().split(/[-_.]/)[0];
  return isLanguage(primary) ? primary : 'en';
}
