import { expect, test } from 'vitest';
import { checkNameCharacters, cleanName } from './name-characters.ts';

test.each([
  ['a line break', 'web\n01', 'U+000A', 'web 01'],
  ['Windows line breaks', 'web\r\n\r\n01', 'U+000D', 'web 01'],
  ['an escape sequence', '\u001b[31mweb', 'U+001B', '[31mweb'],
  ['a control of ISO 8859', 'web\u009b01', 'U+009B', 'web 01'],
  ['a line separator', 'web\u202801', 'U+2028', 'web 01'],
  ['an override', 'invoice\u202efdp.exe', 'U+202E', 'invoice fdp.exe'],
  ['an isolate', '\u2067web\u2069', 'U+2067', 'web'],
])('a name with %s is refused, and cleaned if it comes from outside', (_what, text, character, cleaned) => {
  expect(checkNameCharacters(text)).toEqual({ word: 'rule.nameCharacters', character });
  expect(cleanName(text)).toBe(cleaned);
});

test.each(['Web 01', '花子', '👩‍👩‍👧', 'שרת\u200f 1', 'e\u0301'])('the name %s stays as it is', (text) => {
  expect(checkNameCharacters(text)).toBeUndefined();
  expect(cleanName(text)).toBe(text);
});
