import { expect, test } from 'vitest';
import { toStoreJson, toStoreText } from '../../db/store-json.ts';
import { isNestedDeeper } from './nesting-depth.ts';
import { findUnstorableText } from './storable-text.ts';

test.each([
  [{ a: 'text', b: [1, null, true, '🔥'] }, []],
  ['\0', ['']],
  [{ a: { b: ['x', 'y\ud800'] }, c: '\0' }, ['a.b.1', 'c']],
  [{ headers: { 'x\0': 'y' } }, ['headers']],
])('%j holds what cannot be stored at %j', (value, paths) => {
  expect(findUnstorableText(value)).toEqual(paths);
});

test.each([
  ['plain', { a: ['b', 1] }, '{"a":["b",1]}'],
  ['a NUL', { a: 'x\0y' }, '{"a":"x\ufffdy"}'],
  ['half a character', ['\ud800', '\udfff', '🔥'], '["\ufffd","\ufffd","🔥"]'],
  ['keys', { 'k\0': { '\ud83d': 1 } }, '{"k\ufffd":{"\ufffd":1}}'],
  ['text that only looks so', { a: '\\u0000' }, '{"a":"\\\\u0000"}'],
])('storeJson of %s', (_name, value, text) => {
  expect(toStoreJson(value)).toBe(text);
});

test.each([
  ['a\0b', 'a\ufffdb'],
  ['\ud800', '\ufffd'],
  ['🔥', '🔥'],
])('storeText of %j', (text, wanted) => {
  expect(toStoreText(text)).toBe(wanted);
});

test.each([
  [99, false],
  [100, false],
  [101, true],
  [100_000, true],
])('%i lists within one another are too deep: %s', (depth, deeper) => {
  expect(isNestedDeeper(JSON.parse('['.repeat(depth) + ']'.repeat(depth)))).toBe(deeper);
});
