import { expect, test } from 'vitest';
import { testContext } from '../../../test/start-test-tui.tsx';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { itemTitle } from './item-title.ts';

const context = await testContext();
const long = '00000000-0000-7000-8000-000012345678';
const uuid21 = '0123456789abcdefghijk';

test.each([
  ['its name', 'scope', { displayName: 'web\nfront' }, long, 'web front'],
  ['the noun and the end of a long id', 'scope', { displayName: '' }, long, 'scope …12345678'],
  [
    'the noun and a whole id of 20 characters',
    'scope',
    {},
    uuid21.slice(0, 20),
    `scope ${uuid21.slice(0, 20)}`,
  ],
  ['the end of an id of 21 characters', 'scope', {}, uuid21, 'scope …defghijk'],
  ['the noun of an item without id', 'scope', {}, undefined, 'scope'],
  ['the most telling field where there is no name', 'message', { summary: 'disk full' }, long, 'disk full'],
  ['another where that is empty', 'message', { summary: '', subject: 'disk' }, long, 'disk'],
])('an item is titled with %s', (_what, resource, row, id, expected) => {
  expect(itemTitle(context, resourceNamed(resource), row, id)).toBe(expected);
});
