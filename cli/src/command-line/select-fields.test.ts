import { describe, expect, test } from 'vitest';
import { parseFieldNames, selectFields } from './select-fields.ts';
import { UsageError } from './usage-error.ts';

const known = ['scopeId', 'displayName', 'thresholds'];

describe('pickFields', () => {
  test.each([
    ['scopeId', ['scopeId']],
    ['scopeId, displayName', ['scopeId', 'displayName']],
    ['thresholds.warning', ['thresholds.warning']],
  ])('%s', (text, fields) => expect(parseFieldNames(text, known)).toEqual(fields));

  test('an unknown name tells the one that may be meant', () => {
    expect(() => parseFieldNames('scopeid', known)).toThrow(
      expect.objectContaining({
        messageKey: 'cli.usage.near-field',
        params: { field: 'scopeid', fields: 'scopeId' },
      }),
    );
  });
  test('a strange name tells all known ones', () => {
    expect(() => parseFieldNames('x', known)).toThrow(
      expect.objectContaining({ params: { field: 'x', fields: known.join(', ') } }),
    );
  });
  test('without names the known ones are told', () =>
    expect(() => parseFieldNames(true, known)).toThrow(UsageError));
  test.each(['', ' '])('so are they for %j, as an empty variable of a script gives', (text) =>
    expect(() => parseFieldNames(text, known)).toThrow(
      expect.objectContaining({ messageKey: 'cli.usage.json-fields' }),
    ),
  );
});

test('chosen keeps the order, reaches into objects and never leaves a field out', () => {
  const item = { a: 1, b: { c: [2] } };
  expect(JSON.stringify(selectFields(item, ['b.c', 'a', 'b.d', 'toString', 'a.b']))).toBe(
    '{"b.c":[2],"a":1,"b.d":null,"toString":null,"a.b":null}',
  );
});
