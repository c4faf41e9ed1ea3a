// Sentences that were said before: a frame says the same hundred things as the one before it.
import type { Translate } from '@yagura/core/i18n/translator';

/** Sentences kept at most. */
const maxEntries = 5000;

export function memoizeTranslate(translate: Translate): Translate {
  const cache = new Map<string, string>();
  return (key, params) => {
    const name = params === undefined ? key : `${key}\n${JSON.stringify(params)}`;
    const known = cache.get(name);
    if (known !== undefined) return known;
    const text = translate(key, params);
    if (cache.size >= maxEntries) cache.clear();
    cache.set(name, text);
    return text;
  };
}
