import { describe, expect, test } from 'vitest';
import { type Happening, next } from './reducer.ts';
import { cursorOf, initialState, type State, shownItems, targetKey, targetOf } from './state.ts';

const item = (id: string, displayName: string) => ({
  id,
  row: { displayName },
  search: displayName.toLowerCase(),
});
const names = ['Alpha', 'Beta', 'Gamma', 'Web 1', 'Web 2', 'ウェブ'];
const items = names.map((name, index) => item(String(index), name));
const list = (some = items): Happening => ({
  type: 'loaded',
  target: { view: 'scopes' },
  loaded: { kind: 'list', items: some, total: some.length, counts: { incident: 1 } },
  at: 1000,
});

function after(keys: string, start = next(initialState({ columns: 80, rows: 8 }, 0), list())): State {
  return keys
    .split(' ')
    .filter(Boolean)
    .reduce((state, key) => next(state, { type: 'key', key }), start);
}

const place = (state: State) => cursorOf(state.lists[state.view]);

describe('moving', () => {
  test.each([
    ['', 0],
    ['j', 1],
    ['j j k', 1],
    ['k', 0],
    ['down down up', 1],
    ['G', 5],
    ['G g', 0],
    ['end j', 5],
    ['page-down', 4],
    ['space b', 0],
    ['page-down page-down page-up', 1],
    ['x', 0],
  ])('%s', (keys, cursor) => expect(place(after(keys))).toBe(cursor));
});

describe('the filter', () => {
  test.each([
    ['/ w e b', ['Web 1', 'Web 2']],
    ['/ W E B space 2 enter', ['Web 2']],
    ['/ w x backspace e', ['Web 1', 'Web 2']],
    ['/ w e b escape', names],
    ['/ w ctrl-u enter', names],
    ['/ ウ enter', ['ウェブ']],
    ['/ w e b enter escape', names],
    ['/ q q q', []],
  ])('%s', (keys, shown) => {
    expect(shownItems(after(keys).lists.scopes).map(({ row }) => row.displayName)).toEqual(shown);
  });

  test('letters are text while it is typed', () => expect(after('/ q').quit).toBe(false));
  test('does not grow without end', () => {
    expect(after(`/ ${'a '.repeat(300)}`).lists.scopes.filter.length).toBe(100);
  });
  test('keeps to nothing when nothing is left to choose', () => {
    expect(targetOf(after('/ q q enter enter')).id).toBeUndefined();
  });
});

describe('a list that loads again', () => {
  test('keeps the chosen one, wherever it is now', () => {
    const state = next(after('j j'), list([...items].reverse()));
    expect(place(state)).toBe(3);
  });
  test('falls back to the first when it is gone', () => {
    expect(place(next(after('j j'), list(items.slice(0, 2))))).toBe(0);
  });
});

describe('going in and out', () => {
  const inside = after('j enter');
  const detail = (id: string, lines: number): Happening => ({
    type: 'loaded',
    target: { view: 'scopes', id },
    loaded: {
      kind: 'detail',
      title: 'Beta',
      lines: Array.from({ length: lines }, (_, index) => ({
        depth: 0,
        text: `${index}`,
        ...(index === 2 ? { link: { view: 'messages' as const, id: 'm' } } : {}),
      })),
    },
    at: 2000,
  });

  test('enters what is chosen', () => expect(targetKey(targetOf(inside))).toBe('scopes/1'));
  test('comes back to it', () => expect(place(after('escape', inside))).toBe(1));
  test('follows a link, and only a link', () => {
    const loaded = next(inside, detail('1', 5));
    expect(targetKey(targetOf(after('enter', loaded)))).toBe('scopes/1');
    const deeper = after('j j enter', loaded);
    expect(targetKey(targetOf(deeper))).toBe('messages/m');
    expect(after('escape', deeper).trail.at(-1)?.cursor).toBe(2);
    expect(after('escape escape', deeper).trail).toEqual([]);
  });
  test('an answer for what was left is no answer for what is seen', () => {
    const state = next(inside, detail('0', 3));
    expect(state.trail[0]?.lines).toBeUndefined();
    expect(state.seenAt).toBeUndefined();
  });
  test('a shorter answer pulls the cursor up', () => {
    const state = next(after('G', next(inside, detail('1', 50))), detail('1', 2));
    expect(state.trail[0]?.cursor).toBe(1);
  });
  test('another view starts outside', () => {
    expect(targetKey(targetOf(after('tab', inside)))).toBe('messages');
    expect(targetKey(targetOf(after('tab tab', inside)))).toBe('scopes');
  });
});

describe('a dangerous key', () => {
  test('asks, and does it after a yes', () => {
    const asking = after('j R');
    expect(asking).toMatchObject({ asking: { name: 'Beta' }, request: undefined });
    expect(after('y', asking)).toMatchObject({
      asking: undefined,
      request: { act: 'reset', target: { view: 'scopes', id: '1' }, serial: 1 },
    });
  });
  test.each(['n', 'escape', 'enter', 'q', 'j'])('%s is no yes', (key) => {
    const state = after(key, after('R'));
    expect([state.asking, state.request, state.quit]).toEqual([undefined, undefined, false]);
  });
  test('the same again is a new wish', () => expect(after('R y R y').request?.serial).toBe(2));
  test('messages have nothing to reset', () => expect(after('tab R').asking).toBeUndefined());
  test('tells when it is done, and loads again', () => {
    const state = next(after('R y'), { type: 'done', text: 'Done', failed: false });
    expect(state).toMatchObject({ notice: { text: 'Done', style: 'success' }, reloads: 1 });
    expect(after('j', state).notice).toBeUndefined();
  });
});

describe('a lost connection', () => {
  const failed: Happening = { type: 'failed', target: { view: 'scopes' }, reason: 'away' };
  test('keeps what was seen', () => {
    const state = next(after(''), failed);
    expect(state).toMatchObject({ lost: 'away', seenAt: 1000 });
    expect(shownItems(state.lists.scopes)).toHaveLength(6);
  });
  test('is over with the next answer', () =>
    expect(next(next(after(''), failed), list()).lost).toBeUndefined());
  test('of something else is not told', () => {
    expect(next(after('j enter'), failed).lost).toBeUndefined();
  });
});

test.each([
  ['q', true],
  ['ctrl-c', true],
  ['/ ctrl-c', true],
  ['R ctrl-c', true],
  ['? q', false],
  ['? ctrl-c', true],
  ['? j', false],
])('%s quits: %s', (keys, quits) => expect(after(keys).quit).toBe(quits));
