import { describe, expect, test } from 'vitest';
import { testContext } from '../../../test/start-test-tui.tsx';
import { listOf, scopeRows, sheetOf, testDriver } from '../../../test/tui-state.ts';
import { createView, pushView } from '../state/navigation.ts';
import { type State, topView } from '../state/state.ts';
import { keyScopeOf } from './handle-view-key.ts';

const context = await testContext();
const { apply, begin, command, press, rows, sheet } = testDriver(context);

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
const scopes = (count: number, total = count, lines = 13) =>
  rows(command(begin({ rows: lines }), 'scopes'), scopeRows(...numbered(count)), { total });
const cursor = (state: State) => topView(state).cursor;
const stream = (count: number) =>
  rows(
    command(begin({ rows: 13 }), 'logs'),
    numbered(count).map((messageId) => ({ messageId })),
  );
const link = (id: string) => ({ kind: 'item', resource: 'scope', params: {}, id }) as const;
/** Home with one line for each character; `x` is one that leads somewhere. */
const home = (pattern: string) =>
  sheet(begin({ rows: 13 }), {
    lines: [...pattern].map((one, index) => ({
      key: `${index}`,
      depth: 0,
      text: one,
      ...(one === 'x' ? { link: link(`${index}`) } : {}),
    })),
  });
const item = (row: Record<string, unknown> | undefined, lines = 40) => {
  const shown = pushView(begin({ rows: 13 }), createView(context, link('s')));
  return sheet(
    shown,
    { lines: numbered(lines).map((key) => ({ key, depth: 0, text: key })) },
    row as Record<string, never>,
  );
};

describe('the cursor of a list', () => {
  // Ten rows are between the header and the footer.
  test.each([
    [['j'], 21],
    [['down'], 21],
    [['k'], 19],
    [['ctrl-d'], 25],
    [['ctrl-u'], 15],
    [['page-down'], 30],
    [['page-up'], 10],
    [['g'], 0],
    [['G'], 49],
    [['page-up', 'page-up', 'page-up'], 0],
    [['page-down', 'page-down', 'page-down'], 49],
  ])('after %j is at %i', (keys, expected) => {
    const state = press(scopes(50), ...Array<string>(20).fill('j'));
    expect(cursor(press(state, ...keys))).toBe(expected);
  });

  test('moves half of an odd height, rounded up', () => {
    const state = scopes(50, 50, 12);
    expect(cursor(press(state, 'ctrl-d'))).toBe(5);
    expect(cursor(press(press(state, 'G'), 'ctrl-u'))).toBe(44);
  });

  test('is left where it is by the wheel, which turns three rows', () => {
    const state = press(scopes(50), ...Array<string>(5).fill('j'));
    const down = listOf(press(state, 'wheel-down'));
    expect(down).toMatchObject({ scrollTop: 3, cursor: 5 });
    expect(listOf(press(state, 'wheel-down', 'wheel-up'))).toMatchObject({ scrollTop: 0, cursor: 5 });
  });
});

describe('further rows', () => {
  test.each([
    ['are read when the cursor is 100 rows from the end', 101, 500, 1],
    ['are not read before', 102, 500, 0],
    ['are not read where there are none', 101, 101, 0],
  ])('%s', (_what, count, total, expected) => {
    expect(press(scopes(count, total), 'j').loadMoreCount).toBe(expected);
  });

  test('are not read while a filter leaves rows out', () => {
    const state = press(scopes(50, 500), '/', 'n', 'up');
    expect(press(state, 'j').loadMoreCount).toBe(0);
    expect(press(state, 'G')).toMatchObject({ loadMoreCount: 0 });
  });

  test('are all read when the last one is asked for', () => {
    const state = press(scopes(50, 500), 'G');
    expect(listOf(state)).toMatchObject({ loadingAll: true, cursor: 49 });
    expect(listOf(press(scopes(50), 'G')).loadingAll).toBe(false);
    expect(press(scopes(50), 'G').loadMoreCount).toBe(0);
    // Any other move gives it up.
    expect(listOf(press(state, 'k')).loadingAll).toBe(false);
  });

  test('are read when the wheel comes near the end', () => {
    expect(press(scopes(50, 500), 'wheel-down').loadMoreCount).toBe(1);
    expect(press(stream(50), 'wheel-up').loadMoreCount).toBe(0);
  });
});

describe('the cursor of home', () => {
  test.each([
    ['.x.x.x', 'j', 3],
    ['.x....', 'j', 1],
    ['.x.x.x', 'G', 5],
    ['.x.x..', 'G', 3],
    ['......', 'j', 0],
  ])('in %s, %s goes to line %i', (pattern, key, expected) => {
    expect(cursor(press(home(pattern), key))).toBe(expected);
  });

  test.each([
    ['.x.x.x', 'k', 3],
    ['x....x', 'k', 0],
    ['x..x.x', 'g', 0],
    ['.x.x.x', 'g', 1],
    ['.x.x.x', 'page-up', 1],
    ['.x.x.x', 'wheel-up', 1],
  ])('in %s, from the last one %s goes to line %i', (pattern, key, expected) => {
    expect(cursor(press(press(home(pattern), 'G'), key))).toBe(expected);
  });

  test('goes through an item line by line', () => {
    const state = item({ a: 1 });
    expect(cursor(press(state, 'j'))).toBe(1);
    expect(cursor(press(state, 'wheel-down'))).toBe(3);
    expect(cursor(press(state, 'k'))).toBe(0);
    expect(cursor(press(state, 'G'))).toBe(39);
    expect(cursor(press(item({ a: 1 }, 0), 'G'))).toBe(0);
  });
});

describe('a stream', () => {
  test('is paused by moving in it, and goes on at its end or with p', () => {
    const state = stream(30);
    expect(listOf(state)).toMatchObject({ paused: false, cursor: 29 });
    const up = press(state, 'k');
    expect(listOf(up)).toMatchObject({ paused: true, selectedId: 'n28' });
    expect(listOf(press(up, 'G'))).toMatchObject({ paused: false, cursor: 29, selectedId: undefined });
    expect(listOf(press(up, 'p'))).toMatchObject({ paused: false, cursor: 29 });
    expect(listOf(press(up, 'space', 'p'))).toMatchObject({ paused: true, selectedId: 'n29' });
    expect(listOf(press(stream(0), 'k')).paused).toBe(false);
  });

  test('is paused by the wheel where it turns', () => {
    expect(listOf(press(stream(30), 'wheel-up'))).toMatchObject({ paused: true, scrollTop: 17 });
    expect(listOf(press(stream(30), 'wheel-down')).paused).toBe(false);
    expect(listOf(press(scopes(30), 'wheel-down')).paused).toBe(false);
  });
});

describe('going back', () => {
  test('clears the filter, then the words the server was asked, then the marks, then closes', () => {
    let state = press(scopes(3, 500), '/', ...'n1', 'enter');
    const { target } = listOf(state);
    expect(target).toMatchObject({ filter: 'displayName co "n1"' });
    state = press(rows(state, scopeRows('n1', 'n10')), 'A', '/', '0', 'up');
    expect(listOf(state)).toMatchObject({ filter: '0', serverQuery: 'n1', marks: new Set(['n1', 'n10']) });
    state = press(state, 'escape');
    expect(listOf(state)).toMatchObject({ filter: '', serverQuery: 'n1' });
    expect(listOf(state).visibleItems).toHaveLength(2);
    state = press(state, 'escape');
    expect(listOf(state)).toMatchObject({ serverQuery: '', items: undefined, visibleItems: [] });
    expect(listOf(state).target).not.toHaveProperty('filter');
    state = press(rows(state, scopeRows('n1')), 'escape');
    expect([...listOf(state).marks]).toEqual([]);
    expect(press(state, 'escape').stack.map(({ title }) => title)).toEqual(['Home']);
  });

  test('closes an item at once', () => {
    expect(press(item({ a: 1 }), 'q').stack).toHaveLength(1);
    expect(press(begin(), 'q').quit).toBe(true);
    expect(press(item({ a: 1 }), 'H').stack).toHaveLength(1);
  });
});

describe('marks', () => {
  test('are set and taken back row by row, going down', () => {
    const state = press(scopes(3), 'space', 'space');
    expect([...listOf(state).marks]).toEqual(['n0', 'n1']);
    expect(cursor(state)).toBe(2);
    expect([...listOf(press(state, 'k', 'space')).marks]).toEqual(['n0']);
    expect(listOf(press(scopes(0), 'space')).marks.size).toBe(0);
  });

  test('are set on all rows that match, or taken back when they all have one', () => {
    const filtered = press(press(scopes(12), 'space'), '/', '1', 'up', 'A');
    expect([...listOf(filtered).marks]).toEqual(['n0', 'n1', 'n10', 'n11']);
    expect([...listOf(press(filtered, 'A')).marks]).toEqual([]);
  });
});

describe('sorting', () => {
  const menu = (state: State) => {
    const { overlay } = press(state, 's');
    if (overlay?.kind !== 'menu') throw new Error('no menu');
    return overlay;
  };
  const fields = (state: State) =>
    menu(state).items.map(({ choice, note }) => `${'field' in choice ? choice.field : ''}${note ?? ''}`);

  test('offers the fields that can be sorted by, and shows the one in use with its direction', () => {
    const state = scopes(3);
    expect(fields(state)).toEqual(expect.arrayContaining(['displayName', 'status', 'createdAt↓']));
    expect(menu(state).items[menu(state).picked]!.choice).toMatchObject({ field: 'createdAt' });
    const list = (sort: string) =>
      pushView(begin(), createView(context, { kind: 'list', resource: 'scope', params: {}, sort }));
    expect(fields(list('-severity,displayName'))).toContain('severity↓');
    expect(fields(list('-severity,displayName'))).toContain('displayName');
    const { items, picked } = menu(list('-severity,displayName'));
    expect(items[picked]!.choice).toMatchObject({ field: 'severity' });
    expect(menu(list('gone')).picked).toBe(0);
  });

  test('by the chosen field begins at the first row; choosing it again turns it round', () => {
    const moved = press(scopes(30), ...Array<string>(20).fill('j'));
    const sorted = press(moved, 's', ...'severity', 'enter');
    expect(listOf(sorted)).toMatchObject({
      target: { sort: 'severity' },
      cursor: 0,
      scrollTop: 0,
      selectedId: undefined,
    });
    const turned = press(sorted, 's', ...'severity', 'enter');
    expect(listOf(turned).target).toMatchObject({ sort: '-severity' });
    expect(listOf(press(turned, 's', ...'severity', 'enter')).target).toMatchObject({ sort: 'severity' });
  });
});

describe('other keys', () => {
  test('v goes through the formats of an item, from its first line', () => {
    let state = press(item({ a: 1, b: 2 }), 'j');
    const formats = [1, 2, 3].map(() => {
      state = press(state, 'v');
      expect(cursor(state)).toBe(0);
      return sheetOf(state).format;
    });
    expect(formats).toEqual(['yaml', 'json', 'fields']);
    expect(sheetOf(press(item(undefined), 'v')).format).toBe('fields');
    const sonar = sheet(command(begin(), 'sonar'), {}, { a: 1 } as never);
    expect(sheetOf(press(sonar, 'v')).format).toBe('fields');
  });

  test('o opens what is under the cursor, or else the view', () => {
    const opened = (state: State) => {
      const { request } = press(state, 'o');
      return request?.act === 'open' ? request.target : undefined;
    };
    expect(opened(press(scopes(3), 'j'))).toEqual(link('n1'));
    expect(opened(scopes(0))).toEqual({ kind: 'list', resource: 'scope', params: {} });
    expect(opened(stream(1))).toEqual({ kind: 'item', resource: 'message', params: {}, id: 'n0' });
    expect(opened(home('.x'))).toEqual(link('1'));
    expect(opened(item({ a: 1 }))).toEqual(link('s'));
  });

  test('m gives the mouse away and takes it back, and says so', () => {
    const off = press(begin(), 'm');
    expect(off).toMatchObject({
      mouse: false,
      request: { act: 'mouse', on: false },
      notice: { text: context.t('tui.mouse.off'), style: 'dim' },
    });
    expect(press(off, 'm')).toMatchObject({
      mouse: true,
      request: { act: 'mouse', on: true },
      notice: { text: context.t('tui.mouse.on') },
    });
  });

  test('r reads again, ctrl-z suspends, Q ends', () => {
    expect(press(begin(), 'r', 'r').reloadCount).toBe(2);
    expect(press(begin(), 'ctrl-z').request).toMatchObject({ act: 'suspend' });
    expect(press(scopes(1), 'Q').quit).toBe(true);
  });

  test('any key takes the notice away, also one without a meaning', () => {
    const told = apply(begin(), { type: 'done', serial: 1, outcome: { text: 'done', failed: false } });
    expect(told.notice).toEqual({ text: 'done', style: 'success' });
    expect(press(told, 'z').notice).toBeUndefined();
    expect(press(told, 'j').notice).toBeUndefined();
  });

  test('a key for an action that is not there says so, and an unknown resource too', () => {
    expect(press(scopes(1), 't').notice).toEqual({ text: context.t('tui.not-here'), style: 'dim' });
    expect(press(stream(1), 'a').overlay).toBeUndefined();
  });

  test('a size that changes leaves the cursor on the screen', () => {
    const state = press(scopes(50), 'G');
    const small = apply(state, { type: 'size', size: { columns: 80, rows: 8 } });
    // Five rows are between its header and its footer.
    const { cursor: at, scrollTop } = listOf(small);
    expect([at, scrollTop]).toEqual([49, 45]);
    expect(listOf(apply(small, { type: 'size', size: { columns: 80, rows: 63 } })).scrollTop).toBe(0);
  });
});

test.each([
  [{ kind: 'home' }, 'home'],
  [{ kind: 'sonar' }, 'sheet'],
  [link('s'), 'sheet'],
  [{ kind: 'stream' }, 'stream'],
  [{ kind: 'list', resource: 'scope', params: {} }, 'list'],
] as const)('the keys of %j are those of a %s', (target, expected) => {
  expect(keyScopeOf(createView(context, target))).toBe(expected);
});
