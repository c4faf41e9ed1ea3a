import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Translate } from '../i18n/translator.ts';
import { invalidParams } from '../validation/issue-messages.ts';
import * as field from './field.ts';

/** Keys of the reasons for which a value is refused. */
const refusalsOf = (schema: z.ZodType, value: unknown) =>
  invalidParams(schema.safeParse(value).error!, ((key: string) => key) as Translate).map(
    ({ reason }) => reason,
  );

const family = '👨‍👩‍👧‍👦';

test.each<[string, boolean]>([
  ['a'.repeat(30), true],
  ['a'.repeat(31), false],
  ['監'.repeat(30), true],
  ['監'.repeat(31), false],
  [family.repeat(30), true],
  [family.repeat(31), false],
  [`a${'\u0301'.repeat(500)}`, false],
  ['a'.repeat(500), false],
  ['   ', false],
])('a display name is counted as people count: case %#', (value, fits) => {
  const parsed = field.displayName().safeParse(value);
  expect(parsed.success).toBe(fits);
  if (value.trim() !== '' && !fits)
    expect(parsed.error!.issues).toMatchObject([{ params: { word: 'rule.maxLength', count: 30 } }]);
});

test.each([
  ['a line break', 'web\n01'],
  ['a control character', 'web\u001b[31m'],
  ['an override of the direction', 'in\u202efdp'],
  ['an isolate', '\u2067web\u2069'],
])('a display name with %s is refused', (_what, value) => {
  for (const schema of [field.displayName(), field.displayName(100), field.optionalDisplayName()])
    expect(refusalsOf(z.object({ displayName: schema }), { displayName: value })).toEqual([
      'rule.nameCharacters',
    ]);
});

test('line breaks around a display name are not part of it', () => {
  expect(field.displayName().parse(' web\r\n')).toBe('web');
});

test('tells how many characters a text may have, and the units they may take', () => {
  expect(field.fieldMeta(field.displayName())).toEqual({
    kind: 'text',
    required: true,
    nullable: false,
    min: 1,
    max: 30,
    units: 480,
  });
  expect(field.fieldMeta(field.remarks().nullable())).toMatchObject({
    kind: 'long-text',
    max: 2000,
    default: '',
  });
});

test('says it to readers of the schema', () => {
  expect(z.toJSONSchema(field.displayName())).toMatchObject({
    type: 'string',
    minLength: 1,
    maxLength: 480,
    description: 'At most 30 characters as a person counts them.',
  });
});

test.each([
  ['id', field.uuid()],
  ['reference', field.reference('scope')],
  ['reference by a sibling', field.referenceBy('kind', 'scope')],
])('an %s is kept in lower case', (_name, schema) => {
  const id = '01a2b3c4-0000-7000-8000-00000000abcd';
  expect(schema.parse(id.toUpperCase())).toBe(id);
  expect(refusalsOf(schema, 'X')).toEqual(['rule.uuid']);
  expect(z.toJSONSchema(schema)).toMatchObject({ type: 'string', format: 'uuid' });
});

test.each([
  ['2026-11-22T05:00:00Z', '2026-11-22T05:00:00.000Z'],
  ['2026-11-22T14:00:00+09:00', '2026-11-22T05:00:00.000Z'],
  ['2026-11-22T05:00:00.123456789Z', '2026-11-22T05:00:00.123Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
])('a time is kept in UTC with milliseconds: %s', (given, kept) => {
  expect(field.dateTime().parse(given)).toBe(kept);
});

test.each([
  'soon',
  '2026-11-22',
  '2026-02-30T00:00:00Z',
  '0000-06-01T00:00:00Z',
  '9999-12-31T23:59:59-10:00',
])('a time that no store keeps is refused for one reason: %s', (given) => {
  expect(refusalsOf(field.dateTime(), given)).toEqual(['rule.rfc3339']);
});

test.each(['0001-01-01', '2024-02-29', '9999-12-31'])('a date is kept as it is: %s', (day) => {
  expect(field.date().parse(day)).toBe(day);
});

test.each([
  '2026-02-29',
  '2026-04-31',
  '0000-01-01',
  '2026-1-1',
  '10000-01-01',
  '2026-01-01T00:00:00Z',
  ' 2026-01-01',
  '',
])('a date that no calendar has is refused with the form to use: %j', (day) => {
  expect(refusalsOf(field.date(), day)).toEqual(['rule.date']);
});

test('documents a date in the format of JSON Schema', () => {
  expect(z.toJSONSchema(field.date())).toMatchObject({ type: 'string', format: 'date' });
});
