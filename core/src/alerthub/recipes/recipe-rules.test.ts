import { expect, it } from 'vitest';
import { en } from '../../i18n/en/all.ts';
import { ja } from '../../i18n/ja/all.ts';
import { createTranslator } from '../../i18n/translator.ts';
import { alertmanager } from './alertmanager.ts';
import { recipeRules, recipeThresholds } from './recipe-rules.ts';

const languages = { en: createTranslator('en', en), ja: createTranslator('ja', ja) };
const namesOf = (slotName: string, language: 'en' | 'ja' = 'en') =>
  recipeRules(
    alertmanager,
    { receiveSlotId: 'r', scopeId: 's', thresholds: recipeThresholds, slotName },
    languages[language],
  ).map(({ displayName }) => displayName);

it('names the rules after the slot and the status', () => {
  expect(namesOf('Alertmanager')).toEqual([
    'Alertmanager Normal',
    'Alertmanager Warning',
    'Alertmanager Incident',
  ]);
});

it('shows that a name is shortened, and keeps slots apart that differ at the end', () => {
  const tokyo = namesOf('Prometheus Alertmanager Tokyo1');
  expect(tokyo).toEqual([
    'Prometheus…ager Tokyo1 Normal',
    'Prometheus…ger Tokyo1 Warning',
    'Prometheus…ger Tokyo1 Incident',
  ]);
  const other = namesOf('Prometheus Alertmanager Tokyo2');
  expect(tokyo.filter((name) => other.includes(name))).toEqual([]);
  expect(namesOf('本番環境のデータベースとアプリケーションサーバーの死活監視', 'ja')[2]).toBe(
    '本番環境のデータベースとア…ーションサーバーの死活監視 異常',
  );
});
