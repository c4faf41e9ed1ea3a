import { expect, test } from 'vitest';
import { isPlain, lastLines } from './plain-output.ts';

const encoder = new TextEncoder();
const left = (chunks: string[], count: number) =>
  lastLines(
    chunks.map((text) => encoder.encode(text)),
    count,
  ).map((bytes) => new TextDecoder().decode(bytes));

test('lines before the last ones are left out from line end to line end', () => {
  expect(left(['a\r\nb\r\nc\r\nd\r\ne\r\nf'], 2)).toEqual(['a\r\n', 'd\r\ne\r\nf']);
  expect(left(['a\r\nb', '\r\nc\r\n', 'd\r\n', 'e\r\nf'], 1)).toEqual(['a\r\n', '', 'e\r\nf']);
});

test('nothing is left out where it would show', () => {
  expect(left(['a\r\nb\r\nc'], 2)).toEqual(['a\r\nb\r\nc']);
  expect(left(['a\nb\nc\nd\ne'], 1)).toEqual(['a\nb\nc\nd\ne']);
  expect(left([], 1)).toEqual([]);
});

test.each(['\x1b[2J', '\u0085', '\x0e', '\x0f'])('%j is not plain', (text) => {
  expect(isPlain(encoder.encode(`before ${text}`))).toBe(false);
});

test('text of any language is plain', () => {
  expect(isPlain(encoder.encode('ls\t\u6ad3\r\n\b'))).toBe(true);
});
