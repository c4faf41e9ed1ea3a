// Caches formatted translations: consecutive frames mostly contain the same texts.
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';

/** Maximum number of cached texts. */
const maxEntries = 5000;

export function memoizeTranslate(translate: Translate): Translate {
  const cache = new Map<string, string>();
  return (key: MessageKey, params?: Readonly<Record<string, unknown>>) => {
    const name = params === undefined ? key : `${key}\n${JSON.stringify(params)}`;
    const known = cache.get(name);
    if (known !== undefined) return known;
    const text = translate(key, params);
    if (cache.size >= maxEntries) cache.clear();
    cache.set(name, text);
    return text;
  };
}
