import { expect, test } from 'vitest';
import { closeCutJson } from './cut-json.ts';

const whole = JSON.stringify({
  status: 'firing "now" \\',
  numbers: [12, -3.5e7, { deep: [[true, null], 'a,b]}'] }],
  last: '異常 🔥',
});

test('every beginning of an object becomes an object with the members that are complete', () => {
  for (let length = 1; length <= whole.length; length++) {
    const data = JSON.parse(closeCutJson(whole.slice(0, length)));
    expect(typeof data).toBe('object');
  }
  expect(JSON.parse(closeCutJson(whole))).toEqual(JSON.parse(whole));
});

test.each([
  ['within a text', '{"a":1,"b":"x', { a: 1 }],
  ['within a name', '{"a":1,"b', { a: 1 }],
  ['within a number, which may go on', '{"a":[1,23', { a: [1] }],
  ['after an opening bracket', '{"a":{"b":[', { a: { b: [] } }],
])('a cut %s', (_name, text, wanted) => {
  expect(JSON.parse(closeCutJson(text))).toEqual(wanted);
});

test.each(['}', '{"a":1]', 'no JSON', ''])('%j stays what is no JSON', (text) => {
  expect(() => JSON.parse(closeCutJson(text))).toThrow();
});
