// Translations loaded by the browser so far. Each module requests its namespaces when it is loaded; the build
// inserts these calls.
import type { Language, Translations } from '@yagura/core/i18n/translator';

type LoadNamespace = () => Promise<{ translations: Translations }>;
export type Namespaces = Readonly<Record<string, Readonly<Record<Language, LoadNamespace>>>>;

const loadedKeys: Record<string, string> = {};
const requestedNamespaces = new Set(['first']);
let loadNamespace: ((namespace: string) => Promise<void>) | undefined;
let pendingLoad: Promise<void> | undefined;

/** Loaded translations; always the same object, which is extended. */
export const loadedTranslations: Translations = loadedKeys;

/** Requests namespaces by name; each is loaded once. */
export function requestTranslations(...namespaces: string[]): void {
  for (const namespace of namespaces) {
    if (requestedNamespaces.has(namespace)) continue;
    requestedNamespaces.add(namespace);
    if (loadNamespace) trackLoad(loadNamespace(namespace));
  }
}

/**
 * Sets the loaders and loads the base bundle and all namespaces requested so far. The callback gets the error
 * if one cannot be fetched.
 */
export function loadTranslations(
  namespaces: Namespaces,
  language: Language,
  onError: (error: unknown) => void,
): void {
  loadNamespace = async (namespace) => {
    try {
      Object.assign(loadedKeys, (await namespaces[namespace]![language]()).translations);
    } catch (error) {
      onError(error);
      // Never resolves: nothing is rendered without its translations.
      await new Promise(() => {});
    }
  };
  for (const namespace of requestedNamespaces) trackLoad(loadNamespace(namespace));
}

/** Resolves when all requested translations are loaded; undefined if none are pending. */
export function pendingTranslations(): Promise<void> | undefined {
  return pendingLoad;
}

function trackLoad(loading: Promise<void>): void {
  const all = Promise.all([pendingLoad, loading]).then(() => {
    if (pendingLoad === all) pendingLoad = undefined;
  });
  pendingLoad = all;
}
