// All translations of the console in one language, for rendering on the server.
import type { Language, Translations } from '@yagura/core/i18n/translator';
import { en } from './en.ts';
import { ja } from './ja.ts';

const mergeNamespaces = (namespaces: Readonly<Record<string, Translations>>): Translations =>
  Object.assign({}, ...Object.values(namespaces));
const translationsByLanguage: Record<Language, Translations> = {
  en: mergeNamespaces(en),
  ja: mergeNamespaces(ja),
};

export function pageTranslations(language: Language): Translations {
  return translationsByLanguage[language];
}
