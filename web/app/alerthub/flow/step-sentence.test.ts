import { conditions } from '@yagura/core/alerthub/engine/evaluation/trigger-conditions';
import { operators } from '@yagura/core/alerthub/engine/operators/operators';
import { languages } from '@yagura/core/i18n/language';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { Translate } from '@yagura/core/i18n/translator';
import { describe, expect, it } from 'vitest';
import { paramFields } from './param-fields.ts';
import { describeCondition, describeEvent, describeScopes, describeStep } from './step-sentence.ts';

const en = await loadTranslator('en');
const ja = await loadTranslator('ja');
const kindOf = (id: string) => operators.find(({ operatorId }) => operatorId === id)?.kind;
const describeWith = (operatorId: string, params: Record<string, unknown>, t: Translate) =>
  describeStep({ operatorId, params }, kindOf(operatorId), t);

const steps: [id: string, params: Record<string, unknown>, en: string, ja: string][] = [
  [
    'text-compare',
    { source: 'message.content.data.level', comparison: 'contains', value: 'err' },
    'Continue if message.content.data.level contains "err"',
    '続行条件: message.content.data.level が「err」を含む',
  ],
  [
    'text-compare',
    { source: 'a', comparison: 'inList', values: ['x', 'y'] },
    'Continue if a is one of: x, y',
    '続行条件: a が次のいずれかである: x, y',
  ],
  [
    'number-compare',
    { source: 'a', comparison: 'ge', value: 5 },
    'Continue if a is a number ≥ 5',
    '続行条件: a が数値で ≥ 5',
  ],
  [
    'regex-match',
    { source: 'a', pattern: '^x', matches: false },
    'Continue if a does not match /^x/',
    '続行条件: a が /^x/ に一致しない',
  ],
  [
    'json-parse',
    { source: 'a', destination: 'b' },
    'Parse a as JSON and store it as b',
    'a をJSONとして解析し、b に保存する',
  ],
  ['json-parse', {}, 'Parse … as JSON and store it as …', '… をJSONとして解析し、… に保存する'],
  [
    'date-shift',
    { source: 'a', direction: 'subtract', seconds: 60, destination: 'b' },
    'Subtract 60 seconds from a and store it as b',
    'a から60秒を引いて b に保存する',
  ],
  [
    'arithmetic',
    { source: 'a', operation: 'divide', valuePath: 'c', destination: 'b' },
    'Calculate a ÷ c and store it as b',
    'a ÷ c を計算して b に保存する',
  ],
  [
    'lookup-table',
    { source: 'a', table: { x: '1', y: '2' }, destination: 'b' },
    'Look up a in a table of 2 and store the result as b',
    'a を2件の変換表で引き、結果を b に保存する',
  ],
  ['gone', { a: 1 }, 'gone (a: 1)', 'gone (a: 1)'],
];

describe('stepSentence', () => {
  it.each(steps)('%s %j', (id, params, english, japanese) => {
    expect(describeWith(id, params, en)).toBe(english);
    expect(describeWith(id, params, ja)).toBe(japanese);
  });

  it.each(languages)('has words for every operator and every choice of it in %s', async (language) => {
    const t = await loadTranslator(language);
    for (const { operatorId, params } of operators) {
      for (const filled of sampleParams(params)) {
        const sentence = describeWith(operatorId, filled, t);
        expect(sentence).not.toMatch(/why\.|alerthub\.|operator\.|\{\{|undefined/);
        expect(sentence).not.toContain(`${operatorId} (`);
      }
    }
  });
});

describe('conditionSentence', () => {
  it('tells windows, values and counts', () => {
    const condition = {
      conditionId: 'recent-events',
      params: {
        seconds: 1800,
        value: 'delta',
        comparison: 'eq',
        number: 1,
        countComparison: 'ge',
        count: 10,
      },
    };
    expect(describeCondition(condition, en)).toBe(
      'the number of events with change amount = 1 in the last 1800 seconds is ≥ 10',
    );
  });

  it.each(languages)('has words for every condition and every choice of it in %s', async (language) => {
    const t = await loadTranslator(language);
    for (const { conditionId, params } of conditions) {
      for (const filled of sampleParams(params)) {
        const sentence = describeCondition({ conditionId, params: filled }, t);
        expect(sentence).not.toMatch(/why\.|alerthub\.|\{\{|undefined/);
        expect(sentence).not.toContain(`${conditionId} (`);
      }
    }
  });
});

describe('event settings', () => {
  it('tell their severity, their change and their scopes', () => {
    const attributes = [
      { name: 'env', op: 'eq', value: 'prod' },
      { name: 'host', op: 'co', value: { path: 'message.content.data.host' } },
      { name: 'site', op: 'pr' },
    ];
    const wanted = describeScopes({ attributes }, en);
    expect(wanted).toBe(
      'every scope where env equals prod and host contains the value of message.content.data.host and site is present',
    );
    expect(describeEvent({ severityName: { path: 'a.b' }, delta: 2 }, 'Web', en)).toBe(
      'Change severity "the value of a.b" of Web by +2',
    );
    const scopeName = { template: '{{element.labels.host}}' };
    expect(describeScopes({ attributes: [], scopeName, createScope: true }, en)).toBe(
      'the scope named "{{element.labels.host}}" (created if there is none)',
    );
    expect(
      describeScopes({ attributes: attributes.slice(0, 1), scopeName: { path: 'element.host' } }, en),
    ).toBe('the scope named "the value of element.host" where env equals prod');
    expect(describeEvent({ delta: -1 }, 'Web', ja)).toBe('Web の深刻度「default」を -1 変える');
  });
});

/** Returns the parameters once with each option of each choice. */
function sampleParams(schema: unknown): Record<string, unknown>[] {
  const fields = paramFields(schema);
  const base: Record<string, unknown> = Object.fromEntries(
    fields.map(({ name, kind, options }) => [
      name,
      options?.[0] ??
        (kind === 'number' || kind === 'integer'
          ? 3
          : kind === 'texts'
            ? ['p']
            : kind === 'boolean'
              ? true
              : 'q'),
    ]),
  );
  return [
    base,
    ...fields.flatMap(({ name, options }) => (options ?? []).map((option) => ({ ...base, [name]: option }))),
  ];
}
