// Loads translations on demand, so that a client only carries one language.
import { createTranslator, type Language, type Translate, type Translations } from './translator.ts';

export async function loadTranslations(language: Language): Promise<Translations> {
  return language === 'en' ? (await import('./en/all.ts')).en : (await import('./ja/all.ts')).ja;
}

export async function loadTranslator(language: Language): Promise<Translate> {
  return createTranslator(language, await loadTranslations(language));
}
