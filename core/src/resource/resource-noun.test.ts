import { expect, test } from 'vitest';
import { resourceNounWithArticle } from './resource-noun.ts';

test.each([
  ['event', false, 'an event'],
  ['API token', false, 'an API token'],
  ['user', false, 'a user'],
  ['Windows update', false, 'a Windows update'],
  ['IP restriction', true, 'the IP restriction'],
] as const)('the article of %s', (one, singleton, expected) => {
  const noun = { en: [one, `${one}s`], ja: '名詞' } as const;
  expect(resourceNounWithArticle(noun, 'en', singleton)).toBe(expected);
  expect(resourceNounWithArticle(noun, 'ja', singleton)).toBe('名詞');
});
