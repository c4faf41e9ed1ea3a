// Loads the console's translations for the build.
import type { Language } from '@yagura/core/i18n/language';
import { loadSources } from './load-sources.ts';

/** Translations of a language by namespace; a namespace is one of core's translation files. */
export type Namespaces = Readonly<Record<string, Readonly<Record<string, string>>>>;

export async function loadNamespaces(): Promise<Record<Language, Namespaces>> {
  const { en, ja } = await loadSources<Record<Language, Namespaces>>(
    "export { en } from '../app/i18n/en.ts'; export { ja } from '../app/i18n/ja.ts';",
  );
  return { en, ja };
}
