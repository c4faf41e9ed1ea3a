import { action } from '@yagura/core/alerthub/action';
import { contact } from '@yagura/core/pigeon/contact';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readTolerantly } from './tolerant-input.ts';

const read = (schema: z.ZodType, body: unknown) => {
  const parsed = readTolerantly(schema, body);
  return parsed.success ? parsed.data : parsed.error.issues.map(({ path }) => path.join('.'));
};

const shape = z.object({
  name: z.string().max(4),
  items: z
    .array(z.object({ text: z.string() }))
    .min(0)
    .default([]),
  needed: z.array(z.string()).min(1).optional(),
  empty: z.array(z.string()).nullable().optional(),
  record: z.record(z.string(), z.string()).optional(),
  count: z.int().optional(),
  either: z.union([z.object({ names: z.array(z.string()) }), z.object({ id: z.uuid() })]).optional(),
});

test.each([
  ['a number for a text', { name: 2024 }, { name: '2024', items: [] }],
  ['a decimal for a text', { name: -1.5 }, { name: '-1.5', items: [] }],
  ['an empty object for a list', { name: 'a', items: {} }, { name: 'a', items: [] }],
  ['null for a list', { name: 'a', items: null }, { name: 'a', items: [] }],
  ['null where it is a value', { name: 'a', empty: null }, { name: 'a', items: [], empty: null }],
  ['a number inside a list', { name: 'a', items: [{ text: 7 }] }, { name: 'a', items: [{ text: '7' }] }],
  ['a number in a record', { name: 'a', record: { k: 0 } }, { name: 'a', items: [], record: { k: '0' } }],
  ['inside a union', { name: 'a', either: { names: {} } }, { name: 'a', items: [], either: { names: [] } }],
])('reads %s', (_name, body, expected) => {
  const before = structuredClone(body);
  expect(read(shape, body)).toEqual(expected);
  expect(body).toEqual(before);
});

test.each([
  ['a number that makes too long a text', { name: 123_456 }, ['name']],
  ['a number with an exponent', { name: 1e21 }, ['name']],
  ['a boolean for a text', { name: true }, ['name']],
  ['an object with members for a list', { name: 'a', items: { a: 1 } }, ['items']],
  ['an empty list where one entry is needed', { name: 'a', needed: {} }, ['needed']],
  ['a text for a list', { name: 'a', items: '' }, ['items']],
  ['a text for a number', { name: 'a', count: '1' }, ['count']],
])('refuses %s', (_name, body, expected) => {
  expect(read(shape, body)).toEqual(expected);
});

test('reads the variants of an input, as clients written in PowerShell send them', () => {
  const sent = {
    displayName: 42,
    kind: 'email',
    parameters: { to: [{ name: 1, email: 'a@example.com' }], cc: {}, bcc: null, subject: 5 },
  };
  expect(read(action.input!, sent)).toMatchObject({
    displayName: '42',
    parameters: { to: [{ name: '1', email: 'a@example.com' }], cc: [], bcc: [], subject: '5' },
  });
  expect(read(contact.input!, { displayName: 'A', phones: {} })).not.toContain('displayName');
});
