import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSort, printSort, sortLimits } from './sort.ts';

// Fixed seed, so that every run tests the same cases.
fc.configureGlobal({ seed: 20260131 });

test.each([
  ['', []],
  ['  ', []],
  ['name', [{ field: 'name', descending: false }]],
  [
    'status, -createdAt',
    [
      { field: 'status', descending: false },
      { field: 'createdAt', descending: true },
    ],
  ],
  ['-params.networkId', [{ field: 'params.networkId', descending: true }]],
])('%j', (text, keys) => {
  expect(parseSort(text)).toEqual(keys);
});

test.each([
  ['a,', 2, 'field'],
  [',a', 0, 'field'],
  ['a,--b', 2, 'field'],
  ['a, b c', 3, 'field'],
  ['a;drop', 0, 'field'],
  ['a,-a', 2, 'single-field'],
  ['a'.repeat(sortLimits.length + 1), sortLimits.length, 'shorter'],
  ['abcdefghijklmnopq'.split('').join(), 32, 'fewer-terms'],
])('%j fails at %i: %s', (text, position, expected) => {
  expect(() => parseSort(text)).toThrow(expect.objectContaining({ position, expected }));
});

test('parse(print(x)) is x', () => {
  const name = fc.stringMatching(/^[A-Za-z_$][\w$-]{0,9}(\.[\w$-]{1,9}){0,2}$/);
  const keys = fc.uniqueArray(fc.record({ field: name, descending: fc.boolean() }), {
    selector: (key) => key.field,
    maxLength: sortLimits.keys,
  });
  fc.assert(
    fc.property(keys, (list) => {
      expect(parseSort(printSort(list))).toEqual(list);
    }),
  );
});
