import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { en } from './en/all.ts';
import { createInterpolator } from './interpolator.ts';
import { ja } from './ja/all.ts';
import { createTranslator, type Language, type Translations } from './translator.ts';

const dictionaries: [Language, Translations][] = [
  ['en', en],
  ['ja', ja],
];

/** Names of the placeholders in a sentence. */
const namesIn = (sentence: string) => [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!);

/** Values that a translator might interpret: unknown placeholders, nested calls, replacement patterns. */
const texts = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '{{other}}',
    '{{- other}}',
    '$t(verb.save)',
    '$t(',
    '$&',
    '$1',
    '$$',
    '<b>&amp;</b>',
    '__proto__',
  ),
);
const values = fc.oneof(texts, fc.integer(), fc.double(), fc.boolean(), fc.constantFrom(null, undefined));
const counts = fc.oneof(fc.integer({ min: -3, max: 30 }), fc.double(), texts, fc.constant(undefined));

/** Accepts unknown keys and any values. */
type TranslateAny = (key: string, params?: object) => string;

describe.each(dictionaries)('the small translator in %s', { timeout: 60_000 }, (language, dictionary) => {
  const small = createInterpolator(language, dictionary) as TranslateAny;
  const full = createTranslator(language, dictionary) as TranslateAny;
  const bare = (key: string) => key.replace(/_(one|other)$/, '');
  const keys = [...new Set(Object.keys(dictionary).flatMap((key) => [key, bare(key)]))];

  it('says every key as i18next does, with no values', () => {
    expect(keys.map((key) => small(key))).toEqual(keys.map((key) => full(key)));
  });

  it('says every key as i18next does, whatever the values', () => {
    for (const key of keys) {
      const sentences = [key, `${key}_one`, `${key}_other`].map((name) => dictionary[name] ?? '');
      const names = [...new Set(sentences.flatMap(namesIn))];
      const given = fc.record(
        Object.fromEntries(names.map((name) => [name, name === 'count' ? counts : values])),
        { requiredKeys: [] },
      );
      fc.assert(
        fc.property(given, (params) => {
          expect(small(key, params)).toBe(full(key, params));
        }),
        { numRuns: names.length === 0 ? 1 : 30, seed: 20 },
      );
    }
  });

  it.each(['nowhere.to.be.found', 'constructor', '__proto__', '', 'two words: {{name}}'])(
    'says the unknown key %j as i18next does',
    (key) => {
      for (const params of [undefined, {}, { count: 1 }, { name: 'x' }])
        expect(small(key, params)).toBe(full(key, params));
    },
  );
});

describe('the small translator', () => {
  const t = createInterpolator('en', {
    twice: '{{a}} and {{b}}, {{a}}',
    apples_one: '{{count}} apple',
    apples_other: '{{count}} apples',
  }) as TranslateAny;

  it.each([
    ['twice', { a: 1, b: 2 }, '1 and 2, 1'],
    ['twice', { a: '{{b}}', b: '{{a}}' }, '{{b}} and {{a}}, {{b}}'],
    ['twice', { a: '$t(apples)', b: '$&' }, '$t(apples) and $&, $t(apples)'],
    ['twice', { a: undefined }, ' and {{b}}, '],
    ['apples', { count: 1 }, '1 apple'],
    ['apples', { count: 0 }, '0 apples'],
    ['apples', {}, 'apples'],
  ])('says %s with %j', (key, params, said) => {
    expect(t(key, params)).toBe(said);
  });
});
