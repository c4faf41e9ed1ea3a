import { expect, test } from 'vitest';
import { rules as en } from '../i18n/en/rules.ts';
import { rules as ja } from '../i18n/ja/rules.ts';
import { createTranslator } from '../i18n/translator.ts';
import { describeQueryError, type Expected, QueryError } from './query-error.ts';

test('counts characters from one for a person', () => {
  const error = new QueryError(5, 'value');
  expect(describeQueryError(error, createTranslator('en', en))).toBe(
    'Error at character 6: a value is expected',
  );
  expect(describeQueryError(error, createTranslator('ja', ja))).toBe(
    '6文字目にエラーがあります: ここには値が必要です',
  );
});

test('every expectation has words', () => {
  // The record type forces an entry for every new expectation.
  const all: Record<Expected, true> = {
    field: true,
    operator: true,
    value: true,
    'text-value': true,
    'ordered-value': true,
    'string-end': true,
    'string-escape': true,
    'number-in-range': true,
    connective: true,
    'closing-bracket': true,
    term: true,
    'range-end': true,
    'range-to': true,
    cidr: true,
    'single-field': true,
    shorter: true,
    shallower: true,
    'fewer-terms': true,
    end: true,
  };
  for (const expected of Object.keys(all)) expect(en).toHaveProperty([`query.expected.${expected}`]);
});
