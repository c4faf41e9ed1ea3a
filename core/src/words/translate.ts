// The one translator: i18next over the dictionaries of this room, the same on the server, in the browser and in the terminal.
import { createInstance } from 'i18next';

export const languages = ['en', 'ja'] as const;
export type Language = (typeof languages)[number];
/** Used when neither a choice nor the client's languages say anything known (spec section 1). */
export const fallbackLanguage: Language = 'ja';

export type Translate = (key: string, params?: Record<string, unknown>) => string;

/** A flat dictionary: dotted key to sentence with `{{name}}` placeholders. */
export type Dictionary = Readonly<Record<string, string>>;

/** A translator over one dictionary. An unknown key comes back as itself, so that a missing word is visible and testable. */
export function translator(language: Language, dictionary: Dictionary): Translate {
  const instance = createInstance();
  instance.init({
    lng: language,
    resources: { [language]: { translation: dictionary } },
    keySeparator: false,
    nsSeparator: false,
    fallbackLng: false,
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  return (key, params) => instance.t(key, params ?? {});
}

export function isLanguage(value: unknown): value is Language {
  return value === 'en' || value === 'ja';
}

/** First known language of an Accept-Language header, a POSIX locale or a list of tags. */
export function pickLanguage(preferred: string | readonly string[] | null | undefined): Language {
  const tags = typeof preferred === 'string' ? byQuality(preferred) : (preferred ?? []);
  for (const tag of tags) {
    const primary = tag.toLowerCase().split(/[-_.]/)[0];
    if (isLanguage(primary)) return primary;
  }
  return fallbackLanguage;
}

function byQuality(header: string): string[] {
  return header
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';');
      const quality = parameters.map((p) => /^\s*q=([\d.]+)\s*$/.exec(p)?.[1]).find(Boolean);
      return { tag: tag.trim(), quality: quality ? Number(quality) : 1 };
    })
    .filter((entry) => entry.tag && entry.quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map((entry) => entry.tag);
}
