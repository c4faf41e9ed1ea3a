import { expect, test } from 'vitest';
import { testTerminal } from '../../../test/test-terminal.ts';
import { createPresenter, labelOf, presentCell, presentValue } from './present-value.ts';

const field = (kind: 'id' | 'text' | 'date-time') => ({ kind, required: true, nullable: false }) as const;
const now = Date.parse('2026-03-01T00:00:00Z');
const presenter = async () => createPresenter((await testTerminal()).terminal);

test('an id has a short form of both its ends', async () => {
  const id = '01a1fea7-056f-700d-b199-539c2daf013a';
  expect(presentCell(id, field('id'), await presenter(), now)).toMatchObject({
    text: id,
    short: '01a1fea7…013a',
  });
  expect(presentCell(id.toUpperCase(), field('id'), await presenter(), now).short).toBe('01A1FEA7…013A');
});

test.each([
  'deployments',
  `x${'01a1fea7-056f-700d-b199-539c2daf013a'}`,
  '01a1fea7-056f-700d-b199-539c2daf013',
])('an id that is no UUID stays whole: %s', async (id) => {
  expect(presentCell(id, field('id'), await presenter(), now).short).toBe(id);
});

test('a text has no short form, and a time leaves its year out', async () => {
  expect(presentCell('x', field('text'), await presenter(), now)).not.toHaveProperty('short');
  const { text, short } = presentCell('2026-01-31T00:00:00Z', field('date-time'), await presenter(), now);
  expect(text).toContain('2026');
  expect(short).toMatch(/\d/);
  expect(short).not.toContain('2026');
});

test.each([null, undefined, ''])('%j is a dash', async (value) => {
  const dash = { text: '-', style: 'dim' };
  expect(presentValue(value, field('text'), await presenter())).toEqual(dash);
  expect(presentCell(value, field('id'), await presenter(), now)).toEqual(dash);
});

test('an empty list is a dash', async () => {
  const roles = { ...field('text'), kind: 'list' as const, item: field('text') };
  expect(presentValue([], roles, await presenter())).toEqual({ text: '-', style: 'dim' });
  expect(presentValue(['a', 'b'], roles, await presenter())).toMatchObject({ text: 'a, b' });
});

test('null is what it stands for, if the field says that', async () => {
  const expiresAt = { ...field('date-time'), nullable: true, nullChoice: 'no-expiry' };
  expect(presentValue(null, expiresAt, await presenter())).toEqual({ text: 'Never' });
  expect(presentValue(undefined, expiresAt, await presenter())).toMatchObject({ text: '-' });
});

test('a field without a label is named as it is, and the id of the item itself is the ID', async () => {
  const { t } = (await testTerminal()).terminal;
  expect(labelOf('unheardOf', t)).toBe('unheardOf');
  expect(labelOf('scopeId', t, 'scopeId')).toBe(t('label.id'));
});
