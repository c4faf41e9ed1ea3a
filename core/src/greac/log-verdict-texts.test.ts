import { expect, test } from 'vitest';
import { recording } from '../i18n/en/recording.ts';
import { createTranslator } from '../i18n/translator.ts';
import { logJudgementText } from './log-verdict-texts.ts';

const t = createTranslator('en', recording);

test('parts are named as ranges, a limited number of them', () => {
  const cut = (parts: number[]) => logJudgementText({ verdict: 'cut', fault: 'parts', parts }, t);
  expect(cut([2])).toBe('Cut: content is missing (part 2)');
  expect(cut([1, 2, 3, 7, 9, 10])).toBe('Cut: content is missing (part 1–3, 7, 9–10)');
  const odd = Array.from({ length: 5000 }, (_, index) => 2 * index + 1);
  expect(cut(odd)).toBe('Cut: content is missing (part 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, …)');
});
