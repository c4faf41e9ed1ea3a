// The words of pages in one language, all of them: the server draws any page.
import type { Dictionary, Language } from '@yagura/core/words/translate';
import { en } from './en.ts';
import { ja } from './ja.ts';

const flat = (rooms: Readonly<Record<string, Dictionary>>): Dictionary =>
  Object.assign({}, ...Object.values(rooms));
const dictionaries: Record<Language, Dictionary> = { en: flat(en), ja: flat(ja) };

export function pageDictionary(language: Language): Dictionary {
  return dictionaries[language];
}
