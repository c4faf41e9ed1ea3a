import { describe, expect, test } from 'vitest';
import { itemsOf } from '../../../test/start-test-tui.tsx';
import { scopeRows } from '../../../test/tui-state.ts';
import {
  moveCursor,
  resumeStream,
  scrollList,
  scrollToCursor,
  selectedItems,
  withFilter,
  withNewest,
  withRows,
} from './list-view.ts';
import { type ListView, listView } from './state.ts';

const names = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => `n${from + index}`);
const page = (ids: readonly string[], offset = 0, total = offset + ids.length) => ({
  items: itemsOf('scope', scopeRows(...ids)),
  offset,
  total,
  names: new Map<string, string>(),
});
const messages = (ids: readonly string[]) => ({
  ...page([]),
  items: itemsOf(
    'message',
    ids.map((messageId) => ({ messageId })),
  ),
});
const list = (ids: readonly string[], height = 10, total = ids.length): ListView =>
  withRows(
    listView({ kind: 'list', resource: 'scope', params: {} }, 'scope', 'Scopes'),
    page(ids, 0, total),
    height,
  );
const stream = (ids: readonly string[]): ListView =>
  withNewest(listView({ kind: 'stream' }, 'message', 'Messages'), messages(ids), 10);
const idsOf = (items: ListView['items']) => items?.map(({ id }) => id);

describe('a page that arrives', () => {
  test.each([
    ['the first page replaces fewer rows', ['a'], page(['x', 'y'], 0, 9), ['x', 'y']],
    ['the first page replaces as many rows', ['a', 'b'], page(['x', 'y'], 0, 9), ['x', 'y']],
    ['a page that is the whole list replaces more rows', ['a', 'b', 'c'], page(['x']), ['x']],
    ['the first page leaves the rows behind it', ['a', 'b', 'c'], page(['x', 'y'], 0, 9), ['x', 'y', 'c']],
    ['a later page is put at its place', ['a', 'b', 'c', 'd'], page(['x', 'y'], 1, 9), ['a', 'x', 'y', 'd']],
    [
      'a row that moved into the page is in it once',
      ['a', 'b', 'c'],
      page(['a', 'x'], 2, 9),
      ['b', 'a', 'x'],
    ],
    ['a row that moved up is in the page once', ['a', 'b', 'c'], page(['c', 'x'], 0, 9), ['c', 'x']],
    ['rows beyond the total are gone', ['a', 'b', 'c', 'd'], page(['x'], 1, 3), ['a', 'x', 'c']],
  ])('%s', (_what, before, rows, expected) => {
    expect(idsOf(withRows(list(before, 10, 9), rows, 10).items)).toEqual(expected);
  });

  test('adds its names to those that are known', () => {
    const first = withRows(list(['a']), { ...page(['a']), names: new Map([['1', 'one']]) }, 10);
    const second = withRows(first, { ...page(['a']), names: new Map([['2', 'two']]) }, 10);
    expect([...second.names]).toEqual([
      ['1', 'one'],
      ['2', 'two'],
    ]);
    expect(withRows(second, page(['a']), 10).names).toBe(second.names);
  });

  test.each([
    ['rows are missing', page(['b', 'c'], 1, 9), true, 'c'],
    ['all are there', page(['b', 'c'], 1, 3), false, 'c'],
  ])('on the way to the last row the cursor follows, and goes on while %s', (_what, rows, goesOn, id) => {
    const next = withRows({ ...list(['a'], 10, 9), loadingAll: true }, rows, 10);
    expect(next).toMatchObject({ loadingAll: goesOn, selectedId: id, cursor: 2 });
  });

  test('no more than 20 000 rows are loaded on the way to the last one', () => {
    const before = { ...list(['a'], 10, 90_000), loadingAll: true };
    const loading = (count: number) => withRows(before, page(names(0, count), 0, 90_000), 10).loadingAll;
    expect(loading(19_999)).toBe(true);
    expect(loading(20_000)).toBe(false);
  });

  test('marks of rows that are gone are forgotten', () => {
    const marked = { ...list(['a', 'b']), marks: new Set(['a', 'b']) };
    expect([...withRows(marked, page(['b', 'c']), 10).marks]).toEqual(['b']);
  });

  test('without a selected row the cursor stays on the first', () => {
    const view = withRows({ ...list(['a', 'b', 'c']), cursor: 2, scrollTop: 1 }, page(['x', 'y', 'z']), 10);
    expect(view).toMatchObject({ cursor: 0, scrollTop: 0, selectedId: undefined });
  });
});

describe('a filter', () => {
  test('keeps the rows that have every word, in any case, also between wide spaces', () => {
    const view = list(['Web Front', 'web back', 'db front']);
    expect(idsOf(withFilter(view, 'FRONT\u3000web', 10).visibleItems)).toEqual(['Web Front']);
    expect(withFilter(view, '  ', 10).visibleItems).toBe(view.items);
  });

  test('keeps the selected row on its line of the screen', () => {
    const view = { ...moveCursor(list(names(0, 40)), 25, 10), scrollTop: 20 };
    expect(withFilter(view, 'n', 10)).toMatchObject({ cursor: 25, scrollTop: 20, selectedId: 'n25' });
    expect(withFilter(view, '5', 10)).toMatchObject({ cursor: 2, selectedId: 'n25' });
  });

  test('without a match leaves no cursor to select', () => {
    const none = withFilter(moveCursor(list(['a', 'b']), 1, 10), 'zzz', 10);
    expect(none).toMatchObject({ cursor: 0, scrollTop: 0, selectedId: undefined });
    expect(selectedItems(none)).toEqual([]);
  });
});

describe('the cursor', () => {
  test.each([
    [-5, 0, 'n0'],
    [0, 0, 'n0'],
    [39, 39, 'n39'],
    [40, 39, 'n39'],
  ])('moved to %i is on row %i', (to, cursor, selectedId) => {
    expect(moveCursor({ ...list(names(0, 40)), loadingAll: true }, to, 10)).toMatchObject({
      cursor,
      selectedId,
      loadingAll: false,
    });
  });

  test.each([
    ['two rows are seen below it', 12, 0, 10, 5],
    ['nothing moves while there are two', 7, 0, 10, 0],
    ['two rows are seen above it', 12, 30, 10, 10],
    ['the end of the list is no further than the last line', 39, 0, 10, 30],
    ['a screen of three rows has one around it', 12, 0, 3, 11],
    ['a screen of two rows has none', 12, 0, 2, 11],
    ['a short list begins at the top', 2, 2, 60, 0],
  ])('%s', (_what, cursor, scrollTop, height, expected) => {
    const view = { ...list(names(0, 40)), cursor, scrollTop };
    expect(scrollToCursor(view, height).scrollTop).toBe(expected);
  });

  test('is taken along by the wheel where it would leave the screen', () => {
    const view = { ...moveCursor(list(names(0, 40)), 5, 10), scrollTop: 0 };
    expect(scrollList(view, 3, 10)).toMatchObject({ scrollTop: 3, cursor: 5, selectedId: 'n5' });
    expect(scrollList(view, 6, 10)).toMatchObject({ scrollTop: 6, cursor: 6, selectedId: 'n6' });
    expect(scrollList({ ...view, scrollTop: 30, cursor: 39 }, -3, 10)).toMatchObject({
      scrollTop: 27,
      cursor: 36,
      selectedId: 'n36',
    });
    expect(scrollList(view, 99, 10).scrollTop).toBe(30);
    expect(scrollList(view, -1, 10)).toBe(view);
    const short = list(['a', 'b']);
    expect(scrollList(short, 1, 10)).toBe(short);
  });

  test('selects its row, or the marked ones in their order', () => {
    const view = moveCursor(list(['a', 'b', 'c']), 1, 10);
    expect(idsOf(selectedItems(view))).toEqual(['b']);
    expect(idsOf(selectedItems({ ...view, marks: new Set(['c', 'a']) }))).toEqual(['a', 'c']);
  });
});

describe('a stream', () => {
  test('follows its end, with each message once', () => {
    const view = withNewest(stream(names(0, 20)), messages(['n19', 'n20']), 10);
    expect(idsOf(view.items)).toEqual(names(0, 21));
    expect(view).toMatchObject({ cursor: 20, scrollTop: 11, selectedId: undefined });
  });

  test('holds messages back while it is paused, and has them when it goes on', () => {
    const paused = withNewest({ ...stream(['a', 'b']), paused: true }, messages(['b', 'c']), 10);
    expect(idsOf(paused.items)).toEqual(['a', 'b']);
    const longer = withNewest(paused, messages(['c', 'd']), 10);
    expect(idsOf(longer.buffered)).toEqual(['c', 'd']);
    const on = resumeStream(longer, 10);
    expect(idsOf(on.items)).toEqual(['a', 'b', 'c', 'd']);
    expect(on).toMatchObject({ paused: false, buffered: [], cursor: 3, selectedId: undefined });
  });

  test('keeps the newest messages, however many come', () => {
    const many = names(0, 2000);
    expect(idsOf(withNewest(stream(many), messages(['new']), 10).items)).toEqual([...many.slice(1), 'new']);
    const paused = withNewest({ ...stream([]), paused: true }, messages([...many, 'new']), 10);
    expect(idsOf(paused.buffered)).toEqual([...many.slice(1), 'new']);
    expect(idsOf(resumeStream({ ...stream(['old']), buffered: paused.buffered }, 10).items)).toEqual([
      ...many.slice(1),
      'new',
    ]);
  });
});
