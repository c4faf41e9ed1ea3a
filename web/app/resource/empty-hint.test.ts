import { all } from '@yagura/core/all';
import { interpolator } from '@yagura/core/words/interpolate';
import { languages } from '@yagura/core/words/language';
import { describe, expect, it } from 'vitest';
import { translationOf } from '../ui/words.tsx';
import { pageDictionary } from '../words/page-dictionary.ts';
import { emptyHint } from './empty-hint.ts';

describe.each(languages)('the hint of an empty list in %s', (language) => {
  it.each(all.map(({ name, noun }) => ({ name, noun })))('$name has words', (resource) => {
    const dictionary = pageDictionary(language);
    const hint = emptyHint(translationOf(language, dictionary, 'UTC'), resource);
    expect(hint).not.toMatch(/web\.empty|\{\{/);
    const own = dictionary[`web.empty-${resource.name}`];
    const general = interpolator(language, dictionary)('web.empty', {
      noun: language === 'ja' ? resource.noun.ja : resource.noun.en[0],
    });
    expect(hint).toBe(own ?? general);
  });
});
