import { expect, it } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { PostponedRows } from '../../src/jobs/postponed-rows.ts';

it('leaves rows alone until their time, each time twice as long, and forgets those that were done since', () => {
  const clock = new ManualClock();
  const rows = new PostponedRows(clock);
  expect([rows.postpone('row'), rows.postpone('other')]).toEqual([1, 1]);
  clock.advance(59_999);
  rows.deleteExpired(clock.now());
  expect(rows.ids()).toEqual(['row', 'other']);
  clock.advance(1);
  expect(rows.ids()).toEqual([]);
  expect(rows.ids(clock.now() - 1)).toEqual(['row', 'other']);
  expect(rows.postpone('row')).toBe(2);
  rows.deleteExpired(clock.now());
  expect(rows.postpone('other')).toBe(1);
  clock.advance(119_999);
  expect(rows.ids()).toEqual(['row']);
  clock.advance(1);
  expect(rows.ids()).toEqual([]);
  rows.delete('row');
  expect(rows.postpone('row')).toBe(1);
});
