import { expect, it } from 'vitest';
import { groupByWeek, levelOf } from './contribution-levels.ts';

it.each([
  [0, 100, 0],
  [1, 100, 1],
  [25, 100, 1],
  [26, 100, 2],
  [75, 100, 3],
  [76, 100, 4],
  [100, 100, 4],
  [1, 1, 4],
  [0, 0, 0],
])('%i of at most %i is level %i', (count, largest, level) => {
  expect(levelOf(count, largest)).toBe(level);
});

it('lays days in weeks that begin on Monday', () => {
  // 2026-11-19 is a Thursday.
  const days = ['19', '20', '21', '22', '23'].map((day) => ({ date: `2026-11-${day}`, count: Number(day) }));
  const weeks = groupByWeek(days).map((week) => week.map((day) => day?.count ?? null));
  expect(weeks).toEqual([
    [null, null, null, 19, 20, 21, 22],
    [23, null, null, null, null, null, null],
  ]);
  expect(groupByWeek([])).toEqual([]);
});
