import { expect, test } from 'vitest';
import { format as enFormat } from '../i18n/en/format.ts';
import { rules as enRules } from '../i18n/en/rules.ts';
import { schedule as enSchedule } from '../i18n/en/schedule.ts';
import { format as jaFormat } from '../i18n/ja/format.ts';
import { rules as jaRules } from '../i18n/ja/rules.ts';
import { schedule as jaSchedule } from '../i18n/ja/schedule.ts';

const placeholders = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g) ?? [])].sort();

test.each([
  ['rules', enRules, jaRules],
  ['schedule', enSchedule, jaSchedule],
  ['format', enFormat, jaFormat],
])('the %s words say the same values in both languages', (_, en, ja) => {
  const english = en as Record<string, string>;
  const japanese = ja as Record<string, string>;
  expect(Object.keys(japanese)).toEqual(Object.keys(english));
  for (const [key, text] of Object.entries(english)) {
    expect([key, placeholders(japanese[key]!)]).toEqual([key, placeholders(text)]);
  }
});
