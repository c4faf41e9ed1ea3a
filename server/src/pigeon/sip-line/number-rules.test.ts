import { describe, expect, test } from 'vitest';
import { DialPlan, numberRulesSchema } from './number-rules.ts';

const planOf = (...trunks: { callerId?: string; user?: string; numbers?: unknown }[]) =>
  new DialPlan(
    trunks.map(({ callerId = 'yagura', user = '', numbers = {} }, at) => ({
      name: `t${at + 1}`,
      callerId,
      user,
      numbers: numberRulesSchema.parse(numbers),
    })),
  );

describe('the numbers to dial', () => {
  test('are rewritten by the first matching rule of each trunk', () => {
    const rewrite = [
      { match: '^00(\\d+)$', replace: '+$1' },
      { match: '^0', replace: '+81' },
      { match: '^\\+81', replace: 'never' },
    ];
    const plan = planOf({ numbers: { rewrite } }, {});
    expect(plan.numbersFor('0312345678')).toEqual([
      { trunk: 't1', number: '+81312345678' },
      { trunk: 't2', number: '0312345678' },
    ]);
    expect(plan.numbersFor('0044201234')[0]!.number).toBe('+44201234');
  });

  test('are allowed or denied as rewritten, for each trunk', () => {
    const plan = planOf(
      { numbers: { rewrite: [{ match: '^0', replace: '+81' }], allowed: ['^\\+81'], denied: ['^\\+81990'] } },
      { numbers: { allowed: ['^0120'] } },
    );
    expect(plan.numbersFor('0312345678').map(({ trunk }) => trunk)).toEqual(['t1']);
    expect(plan.numbersFor('0120111222').map(({ trunk }) => trunk)).toEqual(['t1', 't2']);
    expect(plan.numbersFor('0990123456')).toEqual([]);
  });

  test.each(['0120@evil.example', 'sip:0120', '0120;x=y', '012 0', '', '0'.repeat(33), '0120\r\nX: y'])(
    'do not include %j, which is no number',
    (number) => expect(planOf({}).numbersFor(number)).toEqual([]),
  );

  test('do not include what a rule turned into no number', () => {
    expect(planOf({ numbers: { rewrite: [{ match: '^0', replace: 'x@y' }] } }).numbersFor('0312')).toEqual(
      [],
    );
  });

  test.each([
    ['as written', { callerId: '0312345678' }, '0312345678'],
    [
      'after rewriting',
      { callerId: '+81-3-1234-5678', numbers: { rewrite: [{ match: '^0', replace: '+81' }] } },
      '0312345678',
    ],
    ['as the account', { user: '0501234' }, '0501234'],
    ['of another trunk', { callerId: 'x' }, '0700'],
  ])('do not include our own caller id %s', (_how, trunk, number) => {
    expect(planOf(trunk, { callerId: '0700' }).numbersFor(number)).toEqual([]);
    expect(planOf(trunk, { callerId: '0700' }).numbersFor('09012345678')).not.toEqual([]);
  });

  test.each([
    [{ rewrite: [{ match: '(', replace: '' }] }],
    [{ rewrite: [{ match: '^0', replace: '$1' }] }],
    [{ allowed: ['(?=0)'] }],
    [{ denied: ['x'.repeat(201)] }],
    [{ allowd: [] }],
  ])('need rules that are valid: %j', (numbers) => {
    expect(numberRulesSchema.safeParse(numbers).success).toBe(false);
  });
});
