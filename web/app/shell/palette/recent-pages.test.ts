import { expect, it } from 'vitest';
import { readRecentPages, saveRecentPage } from './recent-pages.ts';

function storage(text: string | null = null) {
  let held = text;
  return {
    getItem: () => held,
    setItem: (_key: string, value: string) => {
      held = value;
    },
  };
}

it('keeps the last eight, each once, the newest first', () => {
  const held = storage();
  for (const name of [...'abcdefghij', 'c']) saveRecentPage(held, { to: `/${name}`, text: name });
  expect(readRecentPages(held).map(({ text }) => text)).toEqual([...'cjihgfed']);
});

it.each(['no json', '{}', '[1,null,{"to":5}]', '[{"to":"//elsewhere.example","text":"x"}]'])(
  'takes nothing from %s',
  (text) => {
    expect(readRecentPages(storage(text))).toEqual([]);
  },
);

it('goes on with a closed storage', () => {
  const closed = {
    getItem: () => null,
    setItem: () => {
      throw new Error('quota');
    },
  };
  expect(() => saveRecentPage(closed, { to: '/a', text: 'a' })).not.toThrow();
});
