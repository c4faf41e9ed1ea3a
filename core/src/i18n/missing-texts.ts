import { en } from './en/all.ts';
import { ja } from './ja/all.ts';
import type { Translations } from './translator.ts';

/**
 * A sentence for each text that a dictionary lacks, which says what to add and where. `file` is the module of
 * the translations; `texts` are pairs of a key and what it names.
 * @internal For tests.
 */
export function missingTexts(
  file: string,
  texts: Iterable<readonly [key: string, what: string]>,
  dictionaries: Readonly<Record<string, Translations>> = { en, ja },
): string[] {
  return [...texts].flatMap(([key, what]) =>
    Object.entries(dictionaries)
      .filter(([, dictionary]) => !Object.hasOwn(dictionary, key))
      .map(([language]) => `${what} has no text. Add '${key}' to core/src/i18n/${language}/${file}.ts.`),
  );
}
