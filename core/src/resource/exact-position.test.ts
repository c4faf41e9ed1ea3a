import { expect, test } from 'vitest';
import { ExactNumber } from '../http/exact-json.ts';
import type { Translate } from '../i18n/translator.ts';
import { invalidParams } from '../validation/issue-messages.ts';
import { exactPosition } from './exact-position.ts';

const key = ((word: string) => word) as Translate;

test.each([
  [0.1, '0.1'],
  ['3.14159265358979323846', '3.14159265358979323846'],
  [new ExactNumber('-1.7976931348623157e308'), '-1.7976931348623157e308'],
  [new ExactNumber('1e-400'), '1e-400'],
])('keeps the digits of %s', (given, kept) => {
  expect(exactPosition().parse(given)).toBe(kept);
});

test.each(['1e400', '-1e400', new ExactNumber('-1e400')])('refuses %s, which overflows a double', (given) => {
  const { error } = exactPosition().safeParse(given);
  expect(invalidParams(error!, key, given)).toEqual([{ name: '', reason: 'rule.number' }]);
});
