import { expect, it } from 'vitest';
import { changeTicks } from './row-selection.ts';

const keys = ['a', 'b', 'c', 'd'];

it.each([
  ['a row', [], 'b', undefined, ['b']],
  ['a ticked row', ['b', 'c'], 'b', undefined, ['c']],
  ['a range downwards', ['a'], 'c', 'a', ['a', 'b', 'c']],
  ['a range upwards', ['d'], 'b', 'd', ['b', 'c', 'd']],
  ['a range of ticked rows', ['a', 'b', 'c'], 'c', 'a', []],
  ['from a row that has gone', [], 'c', 'z', ['c']],
])('changes %s', (_what, before, key, from, after) => {
  expect([...changeTicks(keys, new Set(before), key, from)].sort()).toEqual(after);
});
