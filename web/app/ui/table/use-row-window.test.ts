import { expect, it } from 'vitest';
import { computeRowWindow } from './use-row-window.ts';

it.each([
  ['at the top', 500, 30, 0, 300, { start: 0, end: 30, heightAbove: 0, heightBelow: 470 * 30 }],
  ['in the middle', 500, 30, 6000, 300, { start: 180, end: 230, heightAbove: 5400, heightBelow: 8100 }],
  ['at the end', 500, 30, 14_700, 300, { start: 470, end: 500, heightAbove: 14_100, heightBelow: 0 }],
  ['beyond the end', 500, 30, 99_999, 300, { start: 499, end: 500, heightAbove: 14_970, heightBelow: 0 }],
])('draws what is in sight and around it %s', (_where, count, row, top, height, window) => {
  expect(computeRowWindow(count, row, top, height)).toEqual(window);
});
