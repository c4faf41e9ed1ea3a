// Loads the words of pages in one language; each language is a chunk of its own.
import type { Dictionary, Language } from '@yagura/core/words/translate';

export async function pageDictionary(language: Language): Promise<Dictionary> {
  return language === 'en' ? (await import('./en.ts')).en : (await import('./ja.ts')).ja;
}
