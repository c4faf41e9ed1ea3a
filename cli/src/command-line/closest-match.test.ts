import { expect, test } from 'vitest';
import { closestMatch } from './closest-match.ts';

const words = [
  'list',
  'show',
  'create',
  'edit',
  'delete',
  'scopes',
  'severities',
  '--display-name',
  '--remarks',
];

test.each([
  ['lsit', ['list']],
  ['scoeps', ['scopes']],
  ['delet', ['delete']],
  ['--displayname', ['--display-name']],
  ['xyz', []],
  ['', []],
  ['s'.repeat(10_000), []],
])('%s', (word, found) => expect(closestMatch(word, words)).toEqual(found));

test('the closest come first, at most three', () => {
  expect(closestMatch('abcdef', ['abcdxx', 'abcdex', 'abxdef', 'axxdef', 'abcde'])).toEqual([
    'abcde',
    'abcdex',
    'abxdef',
  ]);
});
