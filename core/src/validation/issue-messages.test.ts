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
  ['wrong type', z.string(), 1, 'Enter text', '文字列を指定してください'],
  ['null', z.number(), null, 'Enter a number', '数値を入力してください'],
  ['fraction', z.int(), 1.5, 'Enter an integer', '整数を入力してください'],
  ['short', z.string().min(2), 'a', 'Enter at least 2 characters', '2文字以上で入力してください'],
  ['long', z.string().max(1), 'ab', 'Enter at most 1 character', '1文字以内で入力してください'],
  ['small', z.number().min(3), 1, 'Enter a number of 3 or more', '3以上の値を入力してください'],
  ['not above', z.number().gt(3), 3, 'Enter a number greater than 3', '3より大きい値を入力してください'],
  ['big', z.number().max(3), 4, 'Enter a number of 3 or less', '3以下の値を入力してください'],
  ['not below', z.number().lt(3), 3, 'Enter a number less than 3', '3より小さい値を入力してください'],
  ['step', z.number().multipleOf(5), 3, 'Enter a multiple of 5', '5の倍数を入力してください'],
  ['no items', z.array(z.string()).min(1), [], 'Enter at least 1 item', '1件以上入力してください'],
  [
    'many items',
    z.array(z.string()).max(2),
    ['', '', ''],
    'Enter at most 2 items',
    '2件以内で入力してください',
  ],
  ['choice', z.enum(['x', 'y']), 'z', 'Enter one of: x, y', '次のいずれかを指定してください: x, y'],
  ['email', z.email(), 'x', 'The value must be a valid email address', 'メールアドレスを入力してください'],
  ['uuid', z.uuid(), 'x', 'Enter a UUID', 'UUIDを指定してください'],
  [
    'pattern',
    z.string().regex(/a/),
    'b',
    'Enter a value in the required format',
    '指定された形式で入力してください',
  ],
  [
    'prefix',
    z.string().startsWith('/'),
    'b',
    'Enter a value that starts with “/”',
    '「/」で始まる値を入力してください',
  ],
  ['nullable', z.union([z.string(), z.null()]), 1, 'Enter text', '文字列を指定してください'],
  [
    'custom',
    phone,
    'b',
    'Enter a phone number of 4 to 30 digits that starts with 0, without spaces or hyphens',
    '0から始まる4〜30桁の電話番号を、空白やハイフンのない半角数字で入力してください',
  ],
  [
    'custom without a word',
    z.string().refine(() => false),
    'b',
    'Enter a valid value',
    '有効な値を入力してください',
  ],
  [
    'key',
    z.record(z.string().min(2), z.string()),
    { a: 'b' },
    'Enter at least 2 characters',
    '2文字以上で入力してください',
  ],
  ['boolean', z.boolean(), 'x', 'Enter true or false', 'true または false を指定してください'],
  ['list', z.array(z.string()), 'x', 'Enter a list', 'リストを指定してください'],
  ['object', z.object({}), 'x', 'Enter an object', 'オブジェクトを指定してください'],
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
      { name: 'flow.steps.0.operatorId', reason: 'Enter a UUID' },
      { name: 'flow.steps.1.operatorId', reason: 'This field is required' },
      { name: 'target.kind', reason: 'Enter one of: action, runbook' },
      { name: 'delay.seconds', reason: 'Enter a number' },
      { name: 'extra', reason: 'This field does not exist' },
    ]);
  });

  test('does without the input', () => {
    const found = invalidParams(schema.safeParse({}).error!, english);
    expect(found[0]).toEqual({ name: 'name', reason: 'This field is required' });
    expect(found[1]).toEqual({ name: 'kind', reason: 'Enter one of: webhook, email' });
  });

  test('a body of the wrong kind has the empty name', () => {
    expect(invalidParams(schema.safeParse([]).error!, english)).toEqual([
      { name: '', reason: 'Enter an object' },
    ]);
  });
});
