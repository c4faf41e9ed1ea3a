import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '@yagura/core/i18n/language';
import { expect, test } from 'vitest';
import { pageTranslations } from './page-translations.ts';

const app = join(import.meta.dirname, '..');

/** Returns the message keys that code names literally, with the file of each. */
function namedKeys(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of readdirSync(app, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || /\.test\.tsx?$|\.server\.ts$/.test(file)) continue;
    const text = readFileSync(join(app, file), 'utf8');
    for (const [, word] of text.matchAll(/\bt\(\s*'([^']+)'/g)) found.set(word!, file);
    for (const [, either] of text.matchAll(/\bt\(([^()']*\?[^()]*)\)/g))
      for (const [, word] of either!.matchAll(/'([\w.-]+\.[\w.-]+)'/g)) found.set(word!, file);
  }
  return found;
}

test.each(languages)('the pages have every word that they name, in %s', (language) => {
  const dictionary = pageTranslations(language);
  const words = namedKeys();
  expect(words.size).toBeGreaterThan(100);
  const known = (word: string) =>
    [word, `${word}_one`, `${word}_other`].some((key) => Object.hasOwn(dictionary, key));
  expect([...words].filter(([word]) => !known(word))).toEqual([]);
});
