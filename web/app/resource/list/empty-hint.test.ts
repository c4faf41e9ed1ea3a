import { resources } from '@yagura/core/all';
import { createInterpolator } from '@yagura/core/i18n/interpolator';
import { languages } from '@yagura/core/i18n/language';
import { describe, expect, it } from 'vitest';
import { pageTranslations } from '../../i18n/page-translations.ts';
import { translationOf } from '../../ui/translation.tsx';
import { emptyHint } from './empty-hint.ts';

describe.each(languages)('the hint of an empty list in %s', (language) => {
  it.each(resources.map(({ name, noun }) => ({ name, noun })))('$name has words', (resource) => {
    const dictionary = pageTranslations(language);
    const hint = emptyHint(translationOf(language, dictionary, 'UTC'), resource);
    expect(hint).not.toMatch(/web\.empty|\{\{/);
    const own = dictionary[`web.empty-${resource.name}`];
    const general = createInterpolator(language, dictionary)('web.empty', {
      noun: language === 'ja' ? resource.noun.ja : resource.noun.en[0],
    });
    expect(hint).toBe(own ?? general);
  });
});
