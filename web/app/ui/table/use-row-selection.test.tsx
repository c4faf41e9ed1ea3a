import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { toggleSelection, useRowSelection } from './use-row-selection.ts';

afterEach(cleanup);
const keys = ['a', 'b', 'c', 'd'];

it.each([
  ['a row', [], 'b', undefined, ['b']],
  ['a ticked row', ['b', 'c'], 'b', undefined, ['c']],
  ['a range downwards', ['a'], 'c', 'a', ['a', 'b', 'c']],
  ['a range upwards', ['d'], 'b', 'd', ['b', 'c', 'd']],
  ['a range of ticked rows', ['a', 'b', 'c'], 'c', 'a', []],
  ['from a row that has gone', [], 'c', 'z', ['c']],
])('changes %s', (_what, before, key, from, after) => {
  expect([...toggleSelection(keys, new Set(before), key, from)].sort()).toEqual(after);
});

const draw = (rows: readonly string[]) =>
  renderHook(({ keys: shown }) => useRowSelection(shown), { initialProps: { keys: rows } });

it('gives the ticked rows in the order of the table', () => {
  const { result } = draw(keys);
  act(() => result.current.toggle('c'));
  act(() => result.current.toggle('a'));
  expect(result.current.keys).toEqual(['a', 'c']);
  expect([result.current.has('a'), result.current.has('b')]).toEqual([true, false]);
});

it('acts on no row that has left the page', () => {
  const { result, rerender } = draw(keys);
  act(() => result.current.toggleAll(true));
  rerender({ keys: ['b', 'x'] });
  expect(result.current.keys).toEqual(['b']);
  act(() => result.current.toggleAll(false));
  expect(result.current.keys).toEqual([]);
});

it('ticks up to the row that was changed last', () => {
  const { result } = draw(keys);
  act(() => result.current.toggle('b'));
  act(() => result.current.toggle('d', true));
  expect(result.current.keys).toEqual(['b', 'c', 'd']);
  act(() => result.current.toggle('c', true));
  expect(result.current.keys).toEqual(['b']);
});
