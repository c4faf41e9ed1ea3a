// The fields of a schema against a validator of the whole standard: the same values pass, whatever the schema.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { schemaField } from './schema-field.ts';
import { checkField } from './schema-value.ts';

type Schema = Record<string, unknown>;

const judge = new Ajv2020({ strict: false, allErrors: false });

const small = fc.integer({ min: -3, max: 9 });
/** Two ends in order, either of which may be absent. */
const ends = (low: string, high: string, value: fc.Arbitrary<number>) =>
  fc
    .tuple(fc.option(value, { nil: undefined }), fc.option(value, { nil: undefined }))
    .map(([one, other]): Schema => {
      const [least, most] =
        one !== undefined && other !== undefined && one > other ? [other, one] : [one, other];
      return {
        ...(least === undefined ? {} : { [low]: least }),
        ...(most === undefined ? {} : { [high]: most }),
      };
    });

const text = fc
  .tuple(
    ends('minLength', 'maxLength', fc.nat(4)),
    fc.option(fc.constantFrom('^a', 'b$', '[0-9]+'), { nil: undefined }),
  )
  .map(([length, pattern]): Schema => ({ type: 'string', ...length, ...(pattern ? { pattern } : {}) }));
const number = fc
  .tuple(fc.constantFrom('number', 'integer'), ends('minimum', 'maximum', small))
  .map(([type, range]): Schema => ({ type, ...range }));
const choice = fc
  .uniqueArray(fc.oneof(fc.constantFrom('a', 'b', 'c'), small, fc.boolean()), { minLength: 1, maxLength: 4 })
  .map((options): Schema => ({ enum: options }));
const { schema } = fc.letrec<{ schema: Schema; array: Schema; object: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    text,
    number,
    choice,
    fc.constant({ type: 'boolean' }),
    tie('array'),
    tie('object'),
  ),
  array: fc
    .tuple(tie('schema'), ends('minItems', 'maxItems', fc.nat(3)), fc.boolean())
    .map(([items, size, uniqueItems]): Schema => ({ type: 'array', items, ...size, uniqueItems })),
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), { maxKeys: 3 }),
      fc.boolean(),
      fc.boolean(),
    )
    .map(
      ([properties, closed, all]): Schema => ({
        type: 'object',
        properties,
        required: all ? Object.keys(properties) : [],
        ...(closed ? { additionalProperties: false } : {}),
      }),
    ),
}));
// No empty text: a form's empty field counts as not filled in, which a validator of JSON has no notion of.
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b', 'ab', 'a1b', '12', 'abcde'),
    fc.integer({ min: -4, max: 10 }),
    fc.constantFrom(0.5, 2.25),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 3 }),
  ),
}));

test('takes and refuses what the standard does', () => {
  let taken = 0;
  let refused = 0;
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 1, maxLength: 8 }), (one, values) => {
      let field: ReturnType<typeof schemaField>;
      try {
        field = schemaField(one);
      } catch {
        // Without any integer between its ends: nothing can meet it, which the judge finds value by value.
        for (const each of values) expect(judge.validate(one, each)).toBe(false);
        return;
      }
      for (const each of values) {
        const passes = 'value' in checkField({ ...field, required: true }, each);
        expect(passes, JSON.stringify([one, each])).toBe(judge.validate(one, each));
        if (passes) taken += 1;
        else refused += 1;
      }
    }),
    { numRuns: 500 },
  );
  expect(Math.min(taken, refused)).toBeGreaterThan(50);
});
