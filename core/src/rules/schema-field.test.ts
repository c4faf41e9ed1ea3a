import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rules as en } from '../words/en/rules.ts';
import { rules as ja } from '../words/ja/rules.ts';
import { translator } from '../words/translate.ts';
import { checkValue, schemaField } from './schema-field.ts';
import { checkField, readFieldText } from './schema-value.ts';

// The same cases in every run.
fc.configureGlobal({ seed: 20260131 });

const english = translator('en', en);
const one = (schema: unknown) => {
  const { name: _, ...field } = schemaField({ type: 'object', properties: { x: schema } }).fields![0]!;
  return field;
};

describe('schemaField', () => {
  test.each([
    [
      {
        type: 'string',
        minLength: 1,
        maxLength: 5,
        pattern: '^a',
        title: 'T',
        description: 'D',
        default: 'ab',
        madeUp: 1,
      },
      {
        kind: 'string',
        required: false,
        title: 'T',
        description: 'D',
        default: 'ab',
        min: 1,
        max: 5,
        pattern: '^a',
      },
    ],
    [
      { type: 'string', format: 'email' },
      { kind: 'string', required: false, format: 'email' },
    ],
    [
      { type: 'string', format: 'made-up' },
      { kind: 'string', required: false },
    ],
    [
      { type: 'number', minimum: 0, exclusiveMaximum: 1.5, multipleOf: 0.5 },
      { kind: 'number', required: false, min: 0, exclusiveMax: 1.5, multipleOf: 0.5 },
    ],
    [
      { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
      { kind: 'integer', required: false, exclusiveMin: 0, max: 9 },
    ],
    [
      { type: 'number', format: 'json-number' },
      { kind: 'json-number', required: false },
    ],
    [{ type: ['integer', 'null'] }, { kind: 'integer', required: false, nullable: true }],
    [
      { type: 'boolean', default: false },
      { kind: 'boolean', required: false, default: false },
    ],
    [{ enum: ['a', 1, true] }, { kind: 'enum', required: false, options: ['a', 1, true] }],
    [{ enum: ['a', null] }, { kind: 'enum', required: false, nullable: true, options: ['a'] }],
    [{ const: 'a' }, { kind: 'enum', required: false, options: ['a'] }],
    [
      { oneOf: [{ const: 'gt', title: 'above' }, { const: 'lt' }] },
      { kind: 'enum', required: false, options: ['gt', 'lt'], optionTitles: ['above', 'lt'] },
    ],
    [
      { type: 'string', format: 'time-zone', utcOnly: true },
      { kind: 'time-zone', required: false, utcOnly: true },
    ],
    [
      { type: 'string', format: 'wide-time', minWideTime: '05:00', maxWideTime: '29:00' },
      { kind: 'wide-time', required: false, minWideTime: '05:00', maxWideTime: '29:00' },
    ],
    [
      { type: 'array', items: { type: 'string', maxLength: 9 }, minItems: 1, uniqueItems: true },
      { kind: 'list', required: false, min: 1, uniqueItems: true, maxItemLength: 9 },
    ],
    [
      {
        type: 'array',
        minLength: 1,
        maxLength: 3,
        minItemLength: 2,
        maxItemLength: 4,
        pattern: '^x',
        default: ['xx'],
      },
      {
        kind: 'list',
        required: false,
        default: ['xx'],
        min: 1,
        max: 3,
        minItemLength: 2,
        maxItemLength: 4,
        pattern: '^x',
      },
    ],
    [
      { type: 'array', items: { type: 'integer' }, maxItems: 2 },
      { kind: 'array', required: false, max: 2, item: { name: '*', kind: 'integer', required: true } },
    ],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      { kind: 'key-values', required: false, item: { name: '*', kind: 'string', required: true } },
    ],
    [
      { properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
      {
        kind: 'object',
        required: false,
        closed: true,
        fields: [{ name: 'a', kind: 'string', required: true }],
      },
    ],
  ])('%j', (schema, field) => {
    expect(one(schema)).toEqual(field);
    // Plain JSON: nothing is lost on the wire.
    expect(JSON.parse(JSON.stringify(one(schema)))).toEqual(field);
  });

  const deep = (levels: number): unknown =>
    levels === 0 ? { type: 'string' } : { type: 'array', items: deep(levels - 1) };
  test.each([
    ['x', '', 'is no object'],
    [{ type: 'object', properties: { a: false } }, 'properties.a', 'allows no value'],
    [{}, '', 'has no type'],
    [{ type: 'file' }, 'type', '"file" is unknown'],
    [{ type: ['string', 'number'] }, 'type', 'must name exactly one type'],
    [{ type: 5 }, 'type', 'is neither a name nor a list'],
    [
      { type: 'object', properties: { a: { type: 'string', minLength: -1 } } },
      'properties.a.minLength',
      'from zero on',
    ],
    [{ type: 'string', minLength: 3, maxLength: 2 }, '', 'above its upper end'],
    [{ type: 'string', pattern: '(?=a)' }, 'pattern', 'pattern refused'],
    [{ type: 'string', default: 5 }, 'default', 'does not meet the schema'],
    [{ type: 'integer', minimum: 1.1, maximum: 1.9 }, '', 'no integer lies between'],
    [{ type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 }, '', 'no integer lies between'],
    [{ type: 'number', minimum: 1, exclusiveMaximum: 1 }, '', 'above its upper end'],
    [{ type: 'number', minimum: '1' }, 'minimum', 'is no number'],
    [{ type: 'number', multipleOf: 0 }, 'multipleOf', 'above zero'],
    [{ enum: [] }, 'enum', 'offers nothing'],
    [{ enum: [{}] }, 'enum', 'text, numbers and booleans only'],
    [{ type: 'string', format: 'wide-time', minWideTime: '5' }, 'minWideTime', 'is no wide time'],
    [{ type: 'string', minWideTime: '06:00', maxWideTime: '05:00' }, '', 'above its upper end'],
    [{ type: 'object', properties: {}, required: ['a'] }, 'required', 'names "a"'],
    [{ type: 'array', items: { type: 'array', items: { type: 'x' } } }, 'items.items.type', 'is unknown'],
    [deep(9), 'items.items.items.items.items.items.items.items.items', 'nested deeper'],
  ])('%j is impossible', (schema, place, reason) => {
    expect(() => schemaField(schema)).toThrow(
      expect.objectContaining({ place, message: expect.stringContaining(reason) }),
    );
  });
});

describe('checkValue', () => {
  const schema = {
    type: 'object',
    required: ['field', 'op', 'count'],
    additionalProperties: false,
    properties: {
      field: { type: 'string', maxLength: 10 },
      op: { enum: ['eq', 'ne'] },
      count: { type: 'integer', minimum: 1, maximum: 9 },
      zone: { type: 'string', format: 'time-zone' },
      at: { type: 'string', format: 'wide-time', maxWideTime: '29:00' },
      tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' }, maxItems: 3, default: ['a'] },
      table: { type: 'object', additionalProperties: { type: 'string', maxLength: 2 } },
      steps: {
        type: 'array',
        items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      },
      on: { type: 'boolean', default: true },
      note: { type: ['string', 'null'] },
    },
  };
  const good = { field: 'a', op: 'eq', count: 3 };

  test('fills in defaults and keeps the rest', () => {
    expect(checkValue(schema, good, english)).toEqual({ value: { ...good, tags: ['a'], on: true } });
    const full = {
      ...good,
      zone: 'UTC+9',
      at: '25:00',
      tags: [],
      table: { a: 'b' },
      steps: [{ id: 'x', more: 1 }],
      on: false,
      note: null,
    };
    expect(checkValue(schema, full, english)).toEqual({ value: full });
  });

  test('the default is not shared', () => {
    const first = checkValue(schema, good, english) as { value: { tags: string[] } };
    first.value.tags.push('b');
    expect(checkValue(schema, good, english)).toMatchObject({ value: { tags: ['a'] } });
  });

  test('names every refused place', () => {
    const bad = {
      op: 'gt',
      field: 'aaaaaaaaaaaaaaa',
      count: 10,
      zone: 'Mars',
      at: '29:01',
      tags: ['a', 'B'],
      table: { a: 'bcd' },
      steps: [{ id: 'x' }, {}],
      on: 'yes',
      note: 5,
      extra: 1,
    };
    expect(checkValue(schema, bad, english)).toEqual({
      invalidParams: [
        { name: 'field', reason: 'Enter 10 characters at most' },
        { name: 'op', reason: 'The value must be one of: eq, ne' },
        { name: 'count', reason: 'The value must be between 1 and 9' },
        { name: 'zone', reason: 'The value must be a known time zone (like Asia/Tokyo or UTC+9)' },
        { name: 'at', reason: 'The time must be 29:00 or earlier' },
        { name: 'tags.1', reason: 'The value does not match the required pattern' },
        { name: 'table.a', reason: 'Enter 2 characters at most' },
        { name: 'steps.1.id', reason: 'This field is required' },
        { name: 'on', reason: 'The value must be true or false' },
        { name: 'note', reason: 'The value must be text' },
        { name: 'extra', reason: 'There is no such field' },
      ],
    });
    expect(checkValue(schema, {}, translator('ja', ja))).toEqual({
      invalidParams: [
        { name: 'field', reason: '必須項目です' },
        { name: 'op', reason: '選択してください' },
        { name: 'count', reason: '必須項目です' },
      ],
    });
    expect(checkValue(schema, null, english)).toEqual({
      invalidParams: [{ name: '', reason: 'This field is required' }],
    });
    expect(checkValue(schema, [], english)).toEqual({
      invalidParams: [{ name: '', reason: 'The value must be an object' }],
    });
  });

  test.each([
    [{ type: 'string' }, '', 'This field is required'],
    [{ type: 'string', minLength: 0 }, '', undefined],
    [{ type: 'integer' }, 1.5, 'The value must be an integer'],
    [{ type: 'integer' }, '1', 'The value must be an integer'],
    [{ type: 'number' }, Number.NaN, 'The value must be a number'],
    [{ type: 'number', multipleOf: 0.1 }, 0.3, undefined],
    [{ type: 'number', multipleOf: 0.1 }, 0.35, 'The value must be a multiple of 0.1'],
    [{ type: 'string', format: 'email' }, 'x', 'The value must be a valid email address'],
    [{ type: 'array', uniqueItems: true }, ['a', 'a'], 'The same item is listed more than once'],
    [{ type: 'array', maxItems: 1 }, ['a', 'b'], 'Enter 1 item at most'],
    [
      { type: 'string', format: 'time-zone', utcOnly: true },
      'Asia/Tokyo',
      'The value must be a UTC offset from UTC-12 to UTC+14',
    ],
  ])('%j given %j', (inner, value, reason) => {
    const result = checkValue(inner, value, english);
    expect('value' in result ? undefined : result.invalidParams[0]!.reason).toBe(reason);
  });

  test('a key named __proto__ stays a plain key', () => {
    const given = JSON.parse('{"__proto__": "x"}');
    const result = checkField(
      schemaField({ type: 'object', additionalProperties: { type: 'string' } }),
      given,
    );
    expect('value' in result && Object.keys(result.value as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test('any JSON is either a value or named places, and a checked value passes again unchanged', () => {
    const field = schemaField(schema);
    const values = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          field: fc.string(),
          op: fc.constantFrom('eq', 'x'),
          count: fc.integer({ min: 0, max: 10 }),
          tags: fc.array(fc.string()),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(values, (value) => {
        const first = checkField(field, value);
        if ('refused' in first) expect(first.refused.length).toBeGreaterThan(0);
        else expect(checkField(field, first.value)).toEqual(first);
      }),
    );
  });
});

test.each([
  [{ type: 'number' }, ' 1.5 ', { value: 1.5 }],
  [{ type: 'number' }, '1e3', { refusal: { word: 'rule.number' } }],
  [{ type: 'number', format: 'json-number' }, '1e3', { value: 1000 }],
  [{ type: 'integer' }, '1.5', { refusal: { word: 'rule.integer' } }],
  [{ type: 'integer' }, '', { value: undefined }],
  [{ type: 'boolean' }, 'true', { value: true }],
  [{ type: 'boolean' }, 'yes', { refusal: { word: 'rule.boolean' } }],
  [{ enum: [1, 'a'] }, '1', { value: 1 }],
  [{ enum: [1, 'a'] }, 'b', { refusal: { word: 'rule.oneOf', options: ['1', 'a'] } }],
  [{ type: 'array' }, 'a, b,,', { value: ['a', 'b'] }],
  [{ type: 'array' }, '', { value: [] }],
  [{ type: 'array', items: { type: 'integer' } }, '[1, 2]', { value: [1, 2] }],
  [{ properties: {} }, '{', { refusal: { word: 'rule.json' } }],
  [{ type: 'string' }, ' a ', { value: ' a ' }],
])('%j reads %j', (schema, typed, result) => {
  expect(readFieldText(schemaField(schema), typed)).toEqual(result);
});
