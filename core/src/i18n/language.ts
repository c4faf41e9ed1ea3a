// Supported languages, and selection of the preferred one.
export const languages = ['en', 'ja'] as const;
export type Language = (typeof languages)[number];
/** Used if neither the user's choice nor the client's languages are supported. */
const fallbackLanguage: Language = 'ja';

export function isLanguage(value: unknown): value is Language {
  return value === 'en' || value === 'ja';
}

/** The first supported language of an Accept-Language header, a POSIX locale or a list of tags. */
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
