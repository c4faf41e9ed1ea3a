// The words that the browser has so far. A module asks for the rooms of words that it names as it is loaded; the build writes these calls.
import type { Language, Translations } from '@yagura/core/i18n/translator';

type LoadNamespace = () => Promise<{ translations: Translations }>;
export type Namespaces = Readonly<Record<string, Readonly<Record<Language, LoadNamespace>>>>;

const loadedKeys: Record<string, string> = {};
const requestedNamespaces = new Set(['first']);
let loadNamespace: ((namespace: string) => Promise<void>) | undefined;
let pendingLoad: Promise<void> | undefined;

/** Words as they arrive; the object stays the same. */
export const loadedTranslations: Translations = loadedKeys;

/** Asks for rooms by their names; once for each. */
export function requestTranslations(...namespaces: string[]): void {
  for (const namespace of namespaces) {
    if (requestedNamespaces.has(namespace)) continue;
    requestedNamespaces.add(namespace);
    if (loadNamespace) trackLoad(loadNamespace(namespace));
  }
}

/** Says where rooms come from, and fetches those of every page and what was asked for until now. `lost` is told of what cannot be fetched. */
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
      // Nothing is shown without its words.
      await new Promise(() => {});
    }
  };
  for (const namespace of requestedNamespaces) trackLoad(loadNamespace(namespace));
}

/** Ends when all words that were asked for are there; nothing when they are. */
export function pendingTranslations(): Promise<void> | undefined {
  return pendingLoad;
}

function trackLoad(loading: Promise<void>): void {
  const all = Promise.all([pendingLoad, loading]).then(() => {
    if (pendingLoad === all) pendingLoad = undefined;
  });
  pendingLoad = all;
}
