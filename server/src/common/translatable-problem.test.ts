import { Problem, problemKinds } from '@yagura/core/http/problem';
import { en } from '@yagura/core/i18n/en/all';
import { ja } from '@yagura/core/i18n/ja/all';
import { createTranslator } from '@yagura/core/i18n/translator';
import { expect, test } from 'vitest';
import { TranslatableProblem, translateProblem } from './translatable-problem.ts';
import { textOf, translatable } from './translatable-text.ts';

const japanese = createTranslator('ja', ja);

test('the English titles of the kinds are those of the contract', () => {
  for (const [kind, { title }] of Object.entries(problemKinds))
    expect(en[`refusal.title.${kind as keyof typeof problemKinds}`]).toBe(title);
});

test('a detail is English until it is translated, and the rest stays', () => {
  const cause = new Error('inside');
  const problem = new TranslatableProblem('too-large', translatable('refusal.file-size', { size: 200 }), {
    instance: '/api/x',
    retryAfter: 3,
    cause,
  });
  expect(problem).toMatchObject({ detail: 'the file may have at most 200 MB', cause });
  const translated = translateProblem(problem, japanese);
  expect(translated.toJSON()).toEqual({
    type: 'urn:yagura:problem:too-large',
    title: 'サイズが大きすぎます',
    detail: 'ファイルのサイズは200 MBまでです',
    status: 413,
    instance: '/api/x',
  });
  expect(translated).toMatchObject({ kind: 'too-large', retryAfter: 3 });
});

test('codes in titles, and details that were translated before, stay', () => {
  const problem = new Problem('conflict', { title: 'NO_KROKER', detail: '鍵がありません' });
  expect(translateProblem(problem, japanese).toJSON()).toEqual(problem.toJSON());
  const invalid = new Problem('invalid', { invalidParams: [{ name: 'a', reason: '必須です' }] });
  expect(translateProblem(invalid, japanese).invalidParams).toEqual(invalid.invalidParams);
});

test.each([
  [1, '1 session is open at this destination', 'この接続先のセッションが1件開いています'],
  [2, '2 sessions are open at this destination', 'この接続先のセッションが2件開いています'],
])('a text of %i things', (count, english, translated) => {
  const text = translatable('refusal.open-sessions', { count });
  expect([textOf(text), textOf(text, japanese)]).toEqual([english, translated]);
});
