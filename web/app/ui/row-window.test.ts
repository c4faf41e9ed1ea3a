import { expect, it } from 'vitest';
import { rowWindow } from './row-window.ts';

it.each([
  ['at the top', 500, 30, 0, 300, { start: 0, end: 30, above: 0, below: 470 * 30 }],
  ['in the middle', 500, 30, 6000, 300, { start: 180, end: 230, above: 5400, below: 8100 }],
  ['at the end', 500, 30, 14_700, 300, { start: 470, end: 500, above: 14_100, below: 0 }],
  ['beyond the end', 500, 30, 99_999, 300, { start: 499, end: 500, above: 14_970, below: 0 }],
])('draws what is in sight and around it %s', (_where, count, row, top, height, window) => {
  expect(rowWindow(count, row, top, height)).toEqual(window);
});
