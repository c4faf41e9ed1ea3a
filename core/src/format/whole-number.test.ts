import fc from 'fast-check';
import { expect, test } from 'vitest';
import { languages } from '../i18n/language.ts';
import { formatWholeNumber } from './whole-number.ts';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [-1_234_567, '-1,234,567'],
  [1234.5678, '1,234.5678'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
])('%d is %s', (value, text) => {
  expect(formatWholeNumber(value)).toBe(text);
});

test.each(languages)('every whole number is written as in %s', (language) => {
  const intl = new Intl.NumberFormat(language);
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      expect(formatWholeNumber(value)).toBe(intl.format(value === 0 ? 0 : value));
    }),
    { seed: 20 },
  );
});
