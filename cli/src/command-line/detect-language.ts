// Selects the language of the terminal.
import { isLanguage, type Language } from '@yagura/core/i18n/language';

/** The explicit choice, else the locale (POSIX order), else English, the language of the C locale. */
export function detectLanguage(env: NodeJS.ProcessEnv, choice?: string): Language {
  const requested = [choice, env.YAGURA_LANG, env.LC_ALL, env.LC_MESSAGES, env.LANG].find(Boolean);
  const primary = requested?.toLowerCase().split(/[-_.]/)[0];
  return isLanguage(primary) ? primary : 'en';
}
