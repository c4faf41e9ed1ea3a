import { expect, test } from 'vitest';
import { keysIn } from './used-keys.ts';

const known = new Set([
  'ui.yes',
  'ui.no',
  'ui.unit-1',
  'ui.unit-60',
  'rows.of_one',
  'rows.of_other',
  'label.name',
  'why.a',
  'why.b',
]);

test.each([
  ["t('ui.yes')", ['ui.yes']],
  ["t(value ? 'ui.yes' : 'ui.no')", ['ui.yes', 'ui.no']],
  ['it\'s t("ui.yes")', ['ui.yes']],
  ['t(`ui.yes`)', ['ui.yes']],
  ['t(`ui.unit-\u0024{size}`)', ['ui.unit-1', 'ui.unit-60']],
  ["t('rows.of', { count })", ['rows.of_one', 'rows.of_other']],
  ['// Reasons are words of `why.*`.', ['why.a', 'why.b']],
  ['t(`label.\u0024{name}`)', []],
  ["t('ui.nowhere')", []],
  ["import './ui.yes.ts'", []],
])('%s names %j', (text, translations) => {
  expect([...keysIn(text, known)]).toEqual(translations);
});
