// The words of pages in one language, all of them: the server draws any page.
import type { Language, Translations } from '@yagura/core/words/translate';
import { en } from './en.ts';
import { ja } from './ja.ts';

const flat = (rooms: Readonly<Record<string, Translations>>): Translations =>
  Object.assign({}, ...Object.values(rooms));
const dictionaries: Record<Language, Translations> = { en: flat(en), ja: flat(ja) };

export function pageDictionary(language: Language): Translations {
  return dictionaries[language];
}
