// How text of an input method gets to a desktop: what is remembered, and which text may not show.
import { afterEach, expect, test, vi } from 'vitest';
import { composedTextEntry, hasOtherScripts, rememberComposedTextEntry } from './composed-text.ts';

afterEach(() => vi.unstubAllGlobals());

test('the choice is remembered for a destination', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  rememberComposedTextEntry('one', 'paste');
  expect([composedTextEntry('one'), composedTextEntry('other')]).toEqual(['paste', null]);
  rememberComposedTextEntry('one', 'type');
  expect(composedTextEntry('one')).toBe('type');
  stored.set([...stored.keys()][0]!, 'something else');
  expect(composedTextEntry('one')).toBeNull();
});

test('a browser that stores nothing remembers nothing', () => {
  const refuse = () => {
    throw new Error('refused');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  rememberComposedTextEntry('one', 'paste');
  expect(composedTextEntry('one')).toBeNull();
});

test.each([
  ['kana', false],
  ['café – “ok”', false],
  ['日本', true],
  ['abc カ', true],
  ['한국어', true],
])('%s', (text, expected) => {
  expect(hasOtherScripts(text)).toBe(expected);
});
