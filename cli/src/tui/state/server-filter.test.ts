import { expect, test } from 'vitest';
import { testContext } from '../../../test/start-test-tui.tsx';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { combineFilters, toServerFilter } from './server-filter.ts';

const { t } = await testContext();
const { t: ja } = await testContext('ja');
const id = '00000000-0000-7000-8000-00000000000A';

test.each([
  ['a word in a text', 'scope', 'web', 'displayName co "web"'],
  ['each of several words', 'scope', ' web\u3000front ', 'displayName co "web" and displayName co "front"'],
  [
    'the word of an option, beside texts',
    'scope',
    'incident',
    'displayName co "incident" or status eq "incident"',
  ],
  ['nothing for no word', 'scope', '  ', undefined],
])('%s becomes a filter', (_what, resource, typed, expected) => {
  expect(toServerFilter(resourceNamed(resource), typed, t)).toBe(expected);
});

test('an option is found by its label in the language of the terminal', () => {
  expect(toServerFilter(resourceNamed('scope'), '正常', ja)).toContain('status eq "normal"');
  expect(toServerFilter(resourceNamed('scope'), '正常', t)).not.toContain('status');
});

test('an id is compared with ids only, in lower case', () => {
  const filter = toServerFilter(resourceNamed('action-record'), id, t);
  expect(filter).toContain(`scopeId eq "${id.toLowerCase()}"`);
  expect(toServerFilter(resourceNamed('action-record'), 'web', t) ?? '').not.toContain('scopeId');
});

test('words beyond the eighth are left out', () => {
  const words = ['a1', 'b2', 'c3', 'd4', 'e5', 'f6', 'g7', 'h8', 'i9'];
  const filter = toServerFilter(resourceNamed('scope'), words.join(' '), t)!;
  expect(filter).toContain('"h8"');
  expect(filter).not.toContain('"i9"');
});

test('a word that no field can have makes no filter', () => {
  const meta = { ...resourceNamed('scope'), filterable: ['status', 'gone'] };
  expect(toServerFilter(meta, 'zzz', t)).toBeUndefined();
  expect(toServerFilter(meta, 'incident zzz', t)).toBeUndefined();
  expect(toServerFilter(meta, 'incident', t)).toBe('status eq "incident"');
});

test.each([
  [undefined, undefined, undefined],
  ['a eq 1', undefined, 'a eq 1'],
  [undefined, 'b eq 2', 'b eq 2'],
  ['a eq 1 or a eq 3', 'b eq 2', '(a eq 1 or a eq 3) and b eq 2'],
])('%s and %s make %s', (first, second, expected) => {
  expect(combineFilters(first, second)).toBe(expected);
});
