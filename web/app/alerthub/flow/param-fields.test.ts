import { conditions } from '@yagura/core/alerthub/engine/evaluation/trigger-conditions';
import { operators } from '@yagura/core/alerthub/engine/operators/operators';
import { describe, expect, it } from 'vitest';
import { paramFields, relevanceOf, toSentParams } from './param-fields.ts';

const catalogue = [
  ...operators.map(({ operatorId, params }) => [operatorId, params] as const),
  ...conditions.map(({ conditionId, params }) => [conditionId, params] as const),
];

describe('paramFields', () => {
  it.each(catalogue)('asks for every parameter of %s by a kind of its own', (_id, schema) => {
    const fields = paramFields(schema);
    expect(fields.map(({ name }) => name)).toEqual(Object.keys(schema.properties as object));
    expect(fields.filter(({ kind }) => kind === 'json')).toEqual([]);
  });

  it.each([
    [
      { type: 'string', minLength: 1, maxLength: 9, format: 'regex' },
      { kind: 'code', min: 1, max: 9, format: 'regex' },
    ],
    [
      { type: 'string', format: 'template' },
      { kind: 'template', format: 'template' },
    ],
    [
      { type: 'integer', minimum: -9007199254740991, maximum: 10 },
      { kind: 'integer', max: 10 },
    ],
    [
      { enum: ['a', 'b'], default: 'a' },
      { kind: 'choice', options: ['a', 'b'], default: 'a' },
    ],
    [
      { type: 'array', items: { type: 'string' }, maxItems: 3 },
      { kind: 'texts', max: 3 },
    ],
    [{ type: 'array', items: { type: 'object' } }, { kind: 'json' }],
    [{ type: 'object', additionalProperties: { type: 'string' } }, { kind: 'key-values' }],
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { kind: 'number-or-text' }],
    [{ anyOf: [{ type: 'object' }, { type: 'string' }] }, { kind: 'json' }],
    [{}, { kind: 'json' }],
  ])('reads %j', (schema, expected) => {
    expect(paramFields({ type: 'object', properties: { a: schema }, required: ['a'] })).toEqual([
      { name: 'a', required: true, ...expected },
    ]);
  });

  it.each([null, 'x', 1, [], {}, { properties: 3 }])('has no field for %j', (schema) => {
    expect(paramFields(schema)).toEqual([]);
  });
});

describe('relevance', () => {
  it.each([
    ['text-compare', 'values', { comparison: 'inList' }, 'required'],
    ['text-compare', 'value', { comparison: 'inList' }, 'hidden'],
    ['text-compare', 'value', {}, 'required'],
    ['date-time-compare', 'seconds', { comparison: 'before' }, 'hidden'],
    ['date-time-compare', 'seconds', { comparison: 'within' }, 'required'],
    ['number-compare', 'value', {}, 'asked'],
    ['toString', 'length', {}, 'asked'],
  ] as const)('of %s.%s given %j is %s', (id, name, params, expected) => {
    expect(relevanceOf(id, name, params)).toBe(expected);
  });

  it('keeps back what is not asked for, fills in defaults and leaves unknown operators alone', () => {
    const fields = paramFields(operators.find(({ operatorId }) => operatorId === 'text-compare')!.params);
    const params = { source: 'a', comparison: 'inList', value: 'old', values: ['x'] };
    expect(toSentParams('text-compare', fields, params)).toEqual({
      source: 'a',
      comparison: 'inList',
      values: ['x'],
      ignoreCase: false,
    });
    expect(toSentParams('gone', undefined, { any: 1 })).toEqual({ any: 1 });
  });
});
