import { expect, test } from 'vitest';
import { detectLanguage } from './detect-language.ts';

test.each([
  [{}, undefined, 'en'],
  [{ LANG: 'C' }, undefined, 'en'],
  [{ LANG: 'POSIX' }, undefined, 'en'],
  [{ LANG: 'C.UTF-8' }, undefined, 'en'],
  [{ LANG: 'ja_JP.UTF-8' }, undefined, 'ja'],
  [{ LANG: 'ja_JP.UTF-8', LC_ALL: 'en_US.UTF-8' }, undefined, 'en'],
  [{ LANG: 'en_US', LC_MESSAGES: 'ja' }, undefined, 'ja'],
  [{ LANG: 'ja_JP.UTF-8', LC_ALL: '' }, undefined, 'ja'],
  [{ LC_ALL: 'C', YAGURA_LANG: 'ja' }, undefined, 'ja'],
  [{ YAGURA_LANG: 'ja' }, 'en', 'en'],
  [{ LANG: 'de_DE.UTF-8' }, undefined, 'en'],
] as const)('%j and %s speak %s', (env, choice, language) =>
  expect(detectLanguage(env, choice)).toBe(language),
);
