import { describe, expect, it } from 'vitest';
import { branchesToOpen, countLines, findMatches, maxMatches } from './json-matches.ts';

const value = { host: 'db-1', tags: ['db', { Host: null }], load: 0.5, 'a.b': 'x' };

describe('hitsOf', () => {
  it.each([
    ['', []],
    ['nowhere', []],
    ['host', ['/0 name', '/1/1/0 name']],
    ['DB', ['/0 value', '/1/0 value']],
    ['null', ['/1/1/0 value']],
    ['.', ['/2 value', '/3 name']],
    ['"x"', ['/3 value']],
  ])('finds %j', (text, wanted) => {
    expect(findMatches(value, text).map(({ path, part }) => `${path} ${part}`)).toEqual(wanted);
  });

  it('ends at a bound, and at a depth from which values are text', () => {
    expect(findMatches(Array(5000).fill('x'), 'x')).toHaveLength(maxMatches);
    let deep: unknown = 'found';
    for (let level = 0; level < 60; level += 1) deep = [deep];
    expect(findMatches(deep, 'found')).toEqual([{ path: '/0'.repeat(40), part: 'value' }]);
  });

  it('finds in a value that is no object', () => {
    expect(findMatches('plain', 'lai')).toEqual([{ path: '', part: 'value' }]);
  });
});

it('opens the branches above the hits alone', () => {
  expect([...branchesToOpen(findMatches(value, 'host'))].sort()).toEqual(['', '/1', '/1/1']);
});

it.each([
  [1, 1],
  [value, 8],
  [Array(50).fill(0), 10],
])('counts the lines of %j up to ten', (each, lines) => {
  expect(countLines(each, 10)).toBe(lines);
});
