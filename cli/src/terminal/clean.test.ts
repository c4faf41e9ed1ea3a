import { describe, expect, test } from 'vitest';
import { cleanContent, cleanField, cleanJson, cleanLine, cleanText } from './clean.ts';

const hostile = [
  ['a cleared screen', '\x1b[2Jgone', '\\x1b[2Jgone'],
  ['a window title', '\x1b]0;owned\x07', '\\x1b]0;owned\\x07'],
  ['an eight-bit control', '\x9b31m', '\\x9b31m'],
  ['a reversed text', 'abc\u202efdp.exe', 'abc\\u202efdp.exe'],
  ['an isolate', '\u2066x\u2069', '\\u2066x\\u2069'],
  ['a deleted character', 'a\x7fb', 'a\\x7fb'],
  ['a null', 'a\0b', 'a\\x00b'],
  ['harmless text', '日本語 é 👩‍👩‍👧', '日本語 é 👩‍👩‍👧'],
] as const;

describe('cleanLine', () => {
  test.each(hostile)('shows %s', (_name, text, shown) => expect(cleanLine(text)).toBe(shown));
  test('keeps to one line', () => expect(cleanLine('a\r\nb\tc\nd\re')).toBe('a b c d e'));
});

describe('cleanText', () => {
  test.each(hostile)('shows %s', (_name, text, shown) => expect(cleanText(text)).toBe(shown));
  test('keeps line breaks, of any kind', () => expect(cleanText('a\r\nb\rc\n\td')).toBe('a\nb\nc\n  d'));
});

describe('cleanContent', () => {
  const bytes = new TextEncoder().encode('a\r\n日本\x1b[2J\u202e\r\r\nb\r');
  test.each([1, 2, 3, 100])('shows what comes in pieces of %i bytes', async (length) => {
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
    }
    const shown: Uint8Array[] = [];
    for await (const piece of cleanContent(pieces())) shown.push(piece);
    expect(Buffer.concat(shown).toString()).toBe('a\n日本\\x1b[2J\\u202e\n\nb\n');
  });
});

describe('cleanField', () => {
  test.each([
    ['a\tb', 'a\\tb'],
    ['a\nb\r', 'a\\nb\\r'],
    ['C:\\temp', 'C:\\\\temp'],
    ['\x1b[31m', '\\x1b[31m'],
  ])('%j stays one field', (text, field) => expect(cleanField(text)).toBe(field));
});

describe('cleanJson', () => {
  test('leaves nothing bare that a terminal obeys, and loses nothing', () => {
    const value = { text: 'a\x1b\x9b\x7f\u202e\n日本', list: [1, null] };
    const json = cleanJson(value, 2);
    expect(json).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(JSON.parse(json)).toEqual(value);
  });
});
