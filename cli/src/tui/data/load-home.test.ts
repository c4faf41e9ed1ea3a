import { expect, test } from 'vitest';
import { shareRows } from './load-home.ts';

const some = (wanted: number) => ({ wanted, all: false });

test.each([
  ['as many as there are', [some(2), some(0), some(9)], 40, [2, 0, 9]],
  ['at least three each, however small the terminal is', [some(9), some(2), some(9)], 0, [3, 2, 3]],
  ['all of a section that must be complete', [{ wanted: 30, all: true }, some(9)], 10, [30, 3]],
  ['evenly what is left over', [some(20), some(5), some(20)], 19, [7, 5, 7]],
])('sections show %s', (_what, sections, available, expected) => {
  expect(shareRows(sections, available)).toEqual(expected);
});
