// Preferences of this browser (language, color scheme, time zone), kept in plain cookies.
import { isLanguage, type Language, pickLanguage } from '@yagura/core/i18n/language';
import { parseCookies } from './parse-cookies.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export interface Preferences {
  language: Language;
  theme: Theme;
  /** IANA name; null until the browser has reported it. */
  timeZone: string | null;
}

/** Reads the preferences of a request; the language falls back to the browser's, then to Japanese. */
export function preferencesOf(request: Request): Preferences {
  const cookies = parseCookies(request);
  const language = cookies.get('lng');
  const theme = cookies.get('theme');
  return {
    language: isLanguage(language) ? language : pickLanguage(request.headers.get('accept-language')),
    theme: themes.find((known) => known === theme) ?? 'system',
    timeZone: parseTimeZone(cookies.get('tz')),
  };
}

function parseTimeZone(encoded: string | undefined): string | null {
  if (!encoded || encoded.length > 100) return null;
  try {
    const name = decodeURIComponent(encoded);
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone ? name : null;
  } catch {
    return null;
  }
}
