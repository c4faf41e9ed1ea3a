import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { rules as en } from '../i18n/en/rules.ts';
import { rules as ja } from '../i18n/ja/rules.ts';
import { createTranslator } from '../i18n/translator.ts';
import { invalidParams, issueMessage } from './issue-messages.ts';

const english = createTranslator('en', en);
const japanese = createTranslator('ja', ja);
const phone = z.string().refine(() => false, { params: { word: 'rule.phone' } });

const cases: [string, z.ZodType, unknown, string, string][] = [
  ['missing text', z.string(), undefined, 'This field is required', '必須項目です'],
  [
    'missing in a union',
    z.union([z.string(), z.number()]),
    undefined,
    'This field is required',
    '必須項目です',
  ],
  ['empty text', z.string().min(1), '', 'This field is required', '必須項目です'],
  ['wrong type', z.string(), 1, 'The value must be text', '文字列を指定してください'],
  ['null', z.number(), null, 'The value must be a number', '数値を入力してください'],
  ['fraction', z.int(), 1.5, 'The value must be an integer', '整数を入力してください'],
  ['short', z.string().min(2), 'a', 'Enter at least 2 characters', '2 文字以上で入力してください'],
  ['long', z.string().max(1), 'ab', 'Enter 1 character at most', '1 文字以内で入力してください'],
  ['small', z.number().min(3), 1, 'The value must be 3 or greater', '3 以上の値を入力してください'],
  ['not above', z.number().gt(3), 3, 'The value must be greater than 3', '3 より大きい値を入力してください'],
  ['big', z.number().max(3), 4, 'The value must be 3 or less', '3 以下の値を入力してください'],
  ['not below', z.number().lt(3), 3, 'The value must be less than 3', '3 より小さい値を入力してください'],
  ['step', z.number().multipleOf(5), 3, 'The value must be a multiple of 5', '5 の倍数を入力してください'],
  ['no items', z.array(z.string()).min(1), [], 'Enter at least 1 item', '1 件以上入力してください'],
  [
    'many items',
    z.array(z.string()).max(2),
    ['', '', ''],
    'Enter 2 items at most',
    '2 件以内で入力してください',
  ],
  [
    'choice',
    z.enum(['x', 'y']),
    'z',
    'The value must be one of: x, y',
    '次のいずれかを指定してください: x, y',
  ],
  [
    'email',
    z.email(),
    'x',
    'The value must be a valid email address',
    'メールアドレスの形式で入力してください',
  ],
  ['uuid', z.uuid(), 'x', 'The value must be a UUID', 'UUID を指定してください'],
  [
    'pattern',
    z.string().regex(/a/),
    'b',
    'The value does not match the required pattern',
    '指定された形式に一致しません',
  ],
  [
    'prefix',
    z.string().startsWith('/'),
    'b',
    'The value must start with “/”',
    '「/」で始まる値を入力してください',
  ],
  ['nullable', z.union([z.string(), z.null()]), 1, 'The value must be text', '文字列を指定してください'],
  [
    'custom',
    phone,
    'b',
    'The phone number must start with 0 and consist of 4 to 30 digits',
    '電話番号は 0 から始まる 4〜30 桁の数字で入力してください',
  ],
  [
    'custom without a word',
    z.string().refine(() => false),
    'b',
    'The value is not valid',
    '値が正しくありません',
  ],
  [
    'key',
    z.record(z.string().min(2), z.string()),
    { a: 'b' },
    'Enter at least 2 characters',
    '2 文字以上で入力してください',
  ],
  ['boolean', z.boolean(), 'x', 'The value must be true or false', 'true または false を指定してください'],
  ['list', z.array(z.string()), 'x', 'The value must be a list', 'リストを指定してください'],
  ['object', z.object({}), 'x', 'The value must be an object', 'オブジェクトを指定してください'],
];

test.each(cases)('%s', (_, schema, value, inEnglish, inJapanese) => {
  const { issues } = schema.safeParse(value).error!;
  expect(issueMessage(issues[0]!, english)).toBe(inEnglish);
  expect(issueMessage(issues[0]!, japanese)).toBe(inJapanese);
});

describe('invalidParams', () => {
  const schema = z.strictObject({
    name: z.string().min(1).max(30),
    kind: z.enum(['webhook', 'email']),
    flow: z.object({ steps: z.array(z.object({ operatorId: z.uuid() })) }),
    target: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('action'), id: z.string() }),
      z.object({ kind: z.literal('runbook'), id: z.string() }),
    ]),
    delay: z.union([z.null(), z.object({ seconds: z.int() })]),
  });

  test('names every field by its dotted path, once', () => {
    const input = {
      flow: { steps: [{ operatorId: 'x' }, {}] },
      target: { kind: 'mail' },
      delay: { seconds: 'x' },
      extra: 1,
    };
    expect(invalidParams(schema.safeParse(input).error!, english, input)).toEqual([
      { name: 'name', reason: 'This field is required' },
      { name: 'kind', reason: 'This field is required' },
      { name: 'flow.steps.0.operatorId', reason: 'The value must be a UUID' },
      { name: 'flow.steps.1.operatorId', reason: 'This field is required' },
      { name: 'target.kind', reason: 'The value must be one of: action, runbook' },
      { name: 'delay.seconds', reason: 'The value must be a number' },
      { name: 'extra', reason: 'There is no such field' },
    ]);
  });

  test('does without the input', () => {
    const found = invalidParams(schema.safeParse({}).error!, english);
    expect(found[0]).toEqual({ name: 'name', reason: 'This field is required' });
    expect(found[1]).toEqual({ name: 'kind', reason: 'The value must be one of: webhook, email' });
  });

  test('a body of the wrong kind has the empty name', () => {
    expect(invalidParams(schema.safeParse([]).error!, english)).toEqual([
      { name: '', reason: 'The value must be an object' },
    ]);
  });
});
