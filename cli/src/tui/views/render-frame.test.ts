// What the parts of a frame show, with the style of each text in braces.
import { describe, expect, test } from 'vitest';
import { now, testContext, testRenderContext } from '../../../test/start-test-tui.tsx';
import { listOf, scopeRows, testDriver } from '../../../test/tui-state.ts';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { createView, pushView } from '../state/navigation.ts';
import { type DetailLine, type State, topView } from '../state/state.ts';
import { gutterWidth, padLines, type RenderContext, spaceBetween, windowStart } from './render-context.ts';
import { renderFrame } from './render-frame.ts';
import { rowCells } from './render-list.ts';
import { keyLabel } from './render-overlay.ts';
import { renderPrompt } from './render-prompt.ts';

const scope = resourceNamed('scope');
const context = await testContext();
const plain = await testRenderContext(context);
const render: RenderContext = { ...plain, paint: (style, text) => `{${style}}${text}{}` };
const { apply, begin, command, press, rows, sheet } = testDriver(context);
const { t } = context;

const frame = (state: State, shown = context) => renderFrame(state, shown, render);
const lines = (state: State, shown = context) => frame(state, shown).lines.map((line) => line.trimEnd());
const last = (state: State) => lines(state).at(-1)!;
const scopes = (names: string[], total = names.length, size = {}) =>
  rows(command(begin(size), 'scopes'), scopeRows(...names), { total });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

describe('the layout helpers', () => {
  test.each([
    [11, 0],
    [12, 2],
  ])('a screen of %i columns has a gutter of %i', (columns, width) =>
    expect(gutterWidth(columns)).toBe(width),
  );

  test.each([
    [0, 5, 20, 0],
    [2, 5, 20, 0],
    [3, 5, 20, 1],
    [10, 4, 20, 8],
    [19, 5, 20, 15],
    [1, 5, 3, 0],
  ])('with the cursor at %i, %i rows of %i begin at %i', (cursor, height, total, first) => {
    expect(windowStart(cursor, height, total)).toBe(first);
  });

  test.each([
    ['left', 'right', 13, '{bold}left  {}{dim}  right{}'],
    ['left', 'right', 11, '{bold}left{}{dim}  right{}'],
    ['left', 'right', 10, '{bold}left      {}'],
    ['left', '', 6, '{bold}left  {}'],
  ])('%s and %s in %i columns are %s', (left, right, columns, expected) => {
    expect(spaceBetween(left, right, columns, render, { left: 'bold', right: 'dim' })).toBe(expected);
  });

  test('lines are padded and cut to a height', () => {
    expect(padLines(3, ['a'])).toEqual(['a', '', '']);
    expect(padLines(1, ['a', 'b'])).toEqual(['a']);
  });

  test('an input keeps its cursor in view, at the right edge of a narrow screen', () => {
    const at = (text: string, position: number, columns: number) => {
      const { line, column } = renderPrompt(':', { text, at: position }, '', columns, plain);
      return [line, column];
    };
    expect(at('abc', 3, 20)).toEqual([':abc'.padEnd(20), 4]);
    expect(at('abc', 1, 20)).toEqual([':abc'.padEnd(20), 2]);
    expect(at('abcdefghij', 10, 8)).toEqual([':efghij ', 7]);
    expect(at('日本語日本語', 6, 8)).toEqual([':日本語 ', 7]);
    expect(at('abcdefghij', 0, 8)).toEqual([':abcdef…', 1]);
  });
});

describe('a list', () => {
  test('has its row under the cursor inverse, and marked rows with a sign', () => {
    const [, head, first, second, third] = lines(press(scopes(['a', 'b', 'c']), 'space'));
    expect(head).toMatch(/^\{dim\} {2}Status +Name/);
    expect(first).toMatch(/^\{info\} \*\{\}/);
    expect(second).toMatch(/^\{inverse\}> /);
    expect(third).toMatch(/^ {2}/);
  });

  test('shows what it waits for, why it has nothing, and that nothing matches', () => {
    const waiting = command(begin(), 'scopes');
    expect(lines(waiting)[2]).toContain(`{dim}  ${t('text.loading')}`);
    const failed = apply(waiting, {
      ...{ type: 'failed', target: listOf(waiting).target, reason: 'gone away', offline: false },
    });
    expect(lines(failed)[2]).toContain('gone away');
    expect(lines(scopes([]))[2]).toContain(t('tui.empty'));
    expect(lines(press(scopes(['a']), '/', 'z'))[2]).toContain(t('tui.empty.filter'));
    // What is typed looks at the loaded rows only.
    expect(lines(press(scopes(['a'], 9), '/', 'z'))[2]).toContain(
      t('tui.empty.filter.part', { read: 1, total: 9 }),
    );
    expect(lines(rows(press(scopes(['a'], 9), '/', 'z', 'enter'), []))[2]).toContain(t('tui.empty.filter'));
  });

  test('marks the column it is sorted by', () => {
    const list = (sort: string) =>
      rows(
        pushView(
          begin({ columns: 120 }),
          createView(context, { kind: 'list', resource: 'scope', params: {}, sort }),
        ),
        scopeRows('a'),
      );
    expect(lines(list('-displayName,status'))[1]).toMatch(/Name ↓ .*Severity/);
    expect(lines(list('displayName'))[1]).toContain('Name ↑');
    expect(lines(list('displayName'))[1]).not.toContain('Status ↑');
  });

  test('keeps its columns while a filter is typed', () => {
    const wide = 'a much longer name than the others have';
    const state = scopes(['web', wide]);
    expect(lines(press(state, '/', ...'web'))[1]).toBe(lines(state)[1]);
  });

  test('has ages for times, counts side by side, and the text of other values', () => {
    const meta = {
      id: 'id',
      fields: {
        at: { kind: 'date-time', required: true, nullable: true },
        count: { kind: 'object', required: true, nullable: false },
        name: { kind: 'text', required: true, nullable: false },
      },
    } as never;
    const row = { at: '2026-01-31T08:58:00Z', count: { a: 1, b: 3 }, name: 'x' };
    const texts = (more: object) =>
      rowCells(meta, ['at', 'count', 'name'], { ...row, ...more }, plain.presenter, now).map(
        ({ text }) => text,
      );
    expect(texts({})).toEqual(['2 min ago', '1/3', 'x']);
    expect(texts({ at: null, count: { a: 'b' } }).slice(0, 1)).toEqual(['-']);
    expect(texts({ count: { a: 'b' } })[1]).not.toBe('b');
  });
});

describe('the bottom line', () => {
  test.each([
    ['the position and the total', scopes(['a', 'b', 'c'], 9), ' 1/9'],
    ['no position in an empty list', scopes([]), ' 0/0'],
    ['the marks', press(scopes(['a', 'b']), 'A'), ` ${t('tui.marked', { count: 2 })}  1/2`],
    [
      'the filter with what it leaves',
      press(scopes(['a', 'b']), '/', 'b', 'enter'),
      ` /b  ${t('tui.place', { place: 1, shown: 1, total: 2 })}`,
    ],
    [
      'that more than the loaded rows may match',
      press(scopes(['a', 'b'], 9), '/', 'b', 'up'),
      ` /b  ${t('tui.place.part', { place: 1, shown: 1, read: 2, total: 9 })}`,
    ],
    [
      'what the server was asked',
      rows(press(scopes(['a'], 9), '/', 'a', 'enter'), scopeRows('a')),
      ` ${t('tui.asked', { text: 'a' })}  1/1`,
    ],
    ['that a parent is chosen', rows(command(begin(), 'snapshots'), []), ` 0/0  ${t('tui.choose')}`],
  ])('of a list has %s', (_what, state, expected) => {
    expect(last(state)).toMatch(/^\{dim\}/);
    expect(last(state).slice(5)).toContain(expected);
  });

  test('of a stream has whether it follows, or how many messages wait', () => {
    const stream = rows(command(begin(), 'logs'), [{ messageId: 'a' }, { messageId: 'b' }]);
    expect(last(stream)).toContain(t('tui.following'));
    const paused = rows(press(stream, 'k'), [{ messageId: 'c' }]);
    expect(last(paused)).toContain(t('tui.paused', { count: 1 }));
  });

  test.each([
    ['live', 'success'],
    ['away', 'danger'],
    ['polling', 'dim'],
    ['connecting', 'dim'],
  ] as const)('shows the connection %s in the style %s, with the age of the rows', (connection, style) => {
    const state = apply(scopes(['a']), { type: 'connection', connection });
    expect(last(apply(state, { type: 'tick', now: now + 120_000 }))).toContain(
      `{${style}}  ${t(`tui.connection.${connection}`)}  2 min ago`,
    );
    expect(last({ ...begin(), connection })).not.toContain('ago');
  });

  test('says what is going on, and why rows are old', () => {
    expect(
      last({ ...scopes(['a']), operations: [{ serial: 1, text: 'Deleting', isCancelable: false }] }),
    ).toMatch(/^\{progress\} Deleting/);
    const list = scopes(['a']);
    const failed = apply(list, {
      ...{ type: 'failed', target: listOf(list).target, reason: 'gone', offline: true },
    });
    const age = t('tui.load-failed.age', { age: 'just now' });
    expect(last(failed)).toMatch(/^\{danger\} /);
    expect(last(failed)).toContain(t('tui.load-failed', { reason: 'gone', age }));
    const never = command(begin(), 'scopes');
    const lost = apply(never, {
      ...{ type: 'failed', target: listOf(never).target, reason: 'gone', offline: true },
    });
    expect(last(lost)).toContain(t('tui.load-failed', { reason: 'gone', age: '' }));
  });

  test('shows the complete reason why a list or an item is not there, without controls', () => {
    const reason = 'You may not do this: requires the permission sonar:networks:list\x1b[2J';
    const begun = command(begin({ columns: 40 }), 'scopes');
    const lost = apply(begun, { type: 'failed', target: listOf(begun).target, reason, offline: false });
    const shown = [
      '{dim}You may not do this: requires the       {}',
      '{dim}permission sonar:networks:list\\x1b[2J   {}',
    ];
    expect(lines(lost).slice(2, 4)).toEqual(shown);
    const home = begin({ columns: 40 });
    const away = apply(home, { type: 'failed', target: topView(home).target, reason, offline: false });
    expect(lines(away)).toEqual(expect.arrayContaining(shown));
  });

  test('has the complete reason why older rows are shown', () => {
    const list = scopes(['a'], 1, { columns: 40 });
    const reason = 'The token was not accepted. Create a token, and set it as YAGURA_TOKEN.';
    const failed = apply(list, { type: 'failed', target: listOf(list).target, reason, offline: false });
    const text = lines(failed)
      .filter((line) => line.startsWith('{danger}'))
      .map((line) => line.replace('{danger}', '').replace('{}', '').trim());
    expect(text.length).toBeGreaterThan(1);
    expect(text.join(' ')).toContain(reason);
  });

  test('wraps a long notice over at most a third of the rows', () => {
    const told = (text: string, size: Partial<State['size']>) =>
      lines({ ...begin(size), notice: { text, style: 'warning' } }).filter((line) =>
        line.startsWith('{warning}'),
      );
    expect(told('x y', { columns: 40, rows: 12 })).toHaveLength(1);
    expect(told('word '.repeat(100), { columns: 40, rows: 12 })).toHaveLength(4);
    expect(told('word '.repeat(100), { columns: 40, rows: 2 })).toHaveLength(1);
  });

  test('of a filter counts the rows beside the input, with the cursor behind the text', () => {
    const state = press(scopes(['web', 'db']), '/', 'w');
    const { cursor } = frame(state);
    expect(last(state)).toMatch(/^\{bold\}\/w .*\{\}\{dim\} {2}1\/2\{\}$/);
    expect(cursor).toEqual({ row: 23, column: 2 });
  });

  test('of a question has it in red, and the input beside or below it', () => {
    const yes = command(scopes(['web']), 'reset');
    expect(last(yes)).toMatch(/^\{danger\}/);
    expect(last(yes)).toContain(t('tui.ask.yes-no'));
    expect(frame(yes).cursor).toBeUndefined();
    const name = press(scopes(['web']), 'D', 'x');
    expect(last(name)).toContain(': x');
    expect(frame(name).cursor).toMatchObject({ row: 23 });
    const narrow = press(scopes(['web'], 1, { columns: 44 }), 'D', 'x');
    expect(last(narrow)).toContain('{danger}> x');
    expect(frame(narrow).cursor).toEqual({ row: 23, column: 3 });
    // Where there is no line above, the input is all that is left.
    expect(lines(press(scopes(['web'], 1, { columns: 44, rows: 2 }), 'D', 'x'))).toHaveLength(2);
  });
});

describe('the hints', () => {
  const hint = (state: State) => lines(state).at(-2)!;
  test.each([
    ['the menu', press(scopes(['a']), 'a'), t('tui.hint.menu')],
    ['the command line', press(begin(), ':'), t('tui.hint.menu')],
    ['the filter', press(scopes(['a']), '/'), t('tui.hint.filtering')],
    ['help', press(begin(), '?'), t('tui.hint.scroll')],
    ['a question for a name', press(scopes(['a']), 'D'), t('tui.hint.ask-name')],
    ['a question for a yes', command(scopes(['a']), 'reset'), t('tui.hint.ask')],
  ])('are those of %s', (_what, state, expected) => expect(hint(state)).toContain(expected.slice(0, 60)));

  test('are as many as fit, and none on a low screen', () => {
    const wide = hint(scopes(['a'], 1, { columns: 120 }))
      .replaceAll(/\{\w*\}/g, '')
      .trimEnd();
    const narrow = hint(scopes(['a'], 1, { columns: 40 }))
      .replaceAll(/\{\w*\}/g, '')
      .trimEnd();
    expect(wide.startsWith(narrow)).toBe(true);
    expect(narrow.length).toBeGreaterThan(10);
    expect(narrow.length).toBeLessThanOrEqual(40);
    const words = lines(scopes(['a'], 1, { rows: 13 }));
    expect(words).toHaveLength(13);
    expect(words.join()).not.toContain(t('tui.hint.filter'));
  });
});

describe('the columns of a list', () => {
  const messages = (columns: number) =>
    rows(command(begin({ columns }), 'messages'), [
      {
        messageId: 'm1',
        receivedAt: new Date(now - 60_000).toISOString(),
        receiveSlotId: 'A receive slot with a long name',
        summary: 'Disk full on db1',
        ruleResult: { matched: 1, total: 2 },
        size: 120,
      },
    ]);
  const row = (columns: number) =>
    lines(messages(columns))
      .find((line) => line.startsWith('{inverse}'))!
      .replaceAll(/\{\w*\}/g, '')
      .trimEnd();

  test('that tell what an item is stay where others do not fit', () => {
    expect(row(100)).toMatch(/^> 1 min ago +A receive slot with a long name +Disk full on db1 +1\/2 +120 B/);
    expect(row(40)).toMatch(/^> 1 min ago +Disk full on db1/);
    expect(row(40)).not.toContain('receive slot');
    expect(row(20)).toBe('> Disk full on db1');
  });
});

describe('the first line', () => {
  const first = (state: State, shown = context) =>
    lines(state, shown)[0]!
      .replaceAll(/\{\w*\}/g, '')
      .trimEnd();

  test('has the way to the view and, from 60 columns, the space and the user', async () => {
    expect(first(scopes(['a'], 1, { columns: 60 }))).toMatch(/^ Home › Scopes +Harbour 運用 · Taro$/);
    expect(first(scopes(['a'], 1, { columns: 59 }))).toBe(' Home › Scopes');
    const reader = await testContext('en', { readonly: true });
    expect(first(scopes(['a'], 1, { columns: 59 }), reader)).toContain(t('tui.readonly'));
  });

  test('leaves out the first views where all do not fit', () => {
    let state = begin({ columns: 80 });
    for (const title of ['one', 'two', 'three'])
      state = pushView(
        state,
        createView(context, { kind: 'item', resource: 'scope', params: {}, id: title }, title.repeat(8)),
      );
    expect(first(state)).toMatch(/^ … › three/);
    expect(first({ ...state, size: { columns: 110, rows: 24 } })).toMatch(/^ … › two/);
    expect(first({ ...state, size: { columns: 200, rows: 24 } })).toMatch(/^ Home › one/);
  });
});

describe('an item or home', () => {
  const link = { kind: 'item', resource: 'scope', params: {}, id: 's' } as const;
  const item = (all: DetailLine[], size = {}) =>
    sheet(pushView(begin(size), createView(context, link)), { lines: all });

  test('shows the ages of its rows as they are now, not as they were loaded', () => {
    const lastEventAt = new Date(now - 60_000).toISOString();
    const [age] = rowCells(scope, ['lastEventAt'], { lastEventAt }, plain.presenter, now);
    const loaded = sheet(begin(), {
      lines: [{ key: 'a', depth: 1, text: '', cells: [age!], table: 0 }],
      tables: [[{ title: 'Age' }]],
    });
    expect(lines(loaded).join()).toContain('1 min ago');
    expect(lines({ ...loaded, now: now + 10 * 60_000 }).join()).toContain('11 min ago');
  });

  test('has labels in their column, and signs at what leads on', () => {
    const shown = lines(
      item([
        { key: 'a', depth: 0, label: 'Name', text: 'web' },
        { key: 'b', depth: 0, label: 'Longer', text: 'x y', link, style: 'danger' },
        { key: 'c', depth: 1, text: 'below' },
      ]),
    );
    expect(shown[2]).toMatch(/^\{inverse\}> \{dim\}Name {2}\{\} {2}web/);
    expect(shown[3]).toBe(' ›{dim}Longer{}  {danger}x y{}');
    expect(shown[4]).toBe('    below');
  });

  test('wraps a long value beside its label', () => {
    const shown = lines(
      item([{ key: 'a', depth: 0, label: 'Name', text: 'word '.repeat(30).trim() }], { columns: 40 }),
    );
    expect(shown[3]).toMatch(/^ {2}\{dim\} {4}\{\} {2}word/);
  });

  test('keeps the cursor in the middle, and the ends at the edges', () => {
    const all = numbered(50).map((key) => ({ key, depth: 0, text: key }));
    const at = (steps: number) => {
      const body = lines(press(item(all, { rows: 13 }), ...Array<string>(steps).fill('j'))).slice(2, -1);
      return [body[0], body.at(-1)].map((line) => line!.replaceAll(/\{\w*\}|>/g, '').trim());
    };
    expect(at(0)).toEqual(['n0', 'n9']);
    expect(at(5)).toEqual(['n0', 'n9']);
    expect(at(6)).toEqual(['n1', 'n10']);
    expect(at(25)).toEqual(['n20', 'n29']);
    expect(at(49)).toEqual(['n40', 'n49']);
  });

  test('names its id and format below the title', () => {
    const state = sheet(pushView(begin(), createView(context, link)), {}, { a: 1 } as never);
    expect(lines(state)[1]).toContain('  s');
    expect(lines(press(state, 'v'))[1]).toContain(`s  ${t('tui.form.yaml')}`);
    expect(
      lines(begin())[1]!
        .replaceAll(/\{\w*\}/g, '')
        .trim(),
    ).toBe('');
  });

  test('says why it cannot be shown', () => {
    const waiting = pushView(begin(), createView(context, link));
    expect(lines(waiting)[2]).toContain(t('text.loading'));
    const failed = apply(waiting, { type: 'failed', target: link, reason: 'gone', offline: false });
    expect(lines(failed)[2]).toContain('gone');
  });
});

describe('a panel', () => {
  const panel = (state: State) => {
    const all = lines(state);
    return all.slice(
      all.findIndex((line) => line.includes('──')),
      -2,
    );
  };

  test('has at most twelve lines, with the picked one in the middle', () => {
    const open = press(begin(), ':');
    expect(panel(open)).toHaveLength(13);
    expect(panel(open)[1]).toMatch(/^\{inverse\} >/);
    const down = press(open, ...Array<string>(10).fill('down'));
    expect(panel(down).findIndex((line) => line.startsWith('{inverse}'))).toBe(7);
    const end = press(open, 'up');
    expect(panel(end).at(-1)).toMatch(/^\{inverse\} >/);
    expect(panel(press(begin(), ':', ...'scopes'))).toHaveLength(2);
  });

  test('of actions has the title, warns of danger, and dims what is refused', async () => {
    const menu = panel(press(scopes(['web']), 'a'));
    expect(menu[0]).toMatch(/^\{dim\}── scope web ─/);
    expect(menu.find((line) => line.includes(t('tui.act.delete')))).toMatch(/^\{warning\} {3}! /);
    const reader = testDriver(await testContext('en', { permissions: ['alerthub:scopes:list'] }));
    const list = reader.rows(reader.command(reader.begin(), 'scopes'), scopeRows('web'));
    const refused = panel(reader.press(list, 'a'));
    expect(refused.filter((line) => line.startsWith('{dim} '))).not.toEqual([]);
    expect(refused.join()).toContain('alerthub:scopes:update');
  });

  test.each([
    [3, false],
    [4, true],
    [5, true],
    [6, true],
  ])('fills a screen of %i rows, with the picked line visible (with an edge: %s)', (rows, hasEdge) => {
    const state = press(scopes(numbered(50), 50, { rows }), 'a', 'down', 'down', 'down');
    const body = lines(state).slice(1, -1);
    expect(body).toHaveLength(rows - 2);
    expect(body.map((line) => line.includes('──'))).toEqual(body.map((_, index) => hasEdge && index === 0));
    expect(body.filter((line) => line.startsWith('{inverse} >'))).toHaveLength(1);
  });

  test('leaves the rest of the body to the list', () => {
    const state = press(scopes(numbered(50), 50, { rows: 10 }), 'a');
    expect(lines(state)).toHaveLength(10);
    expect(lines(state)[2]).toContain('n0');
  });
});

describe('help and results', () => {
  test('help warns of keys that change something, and scrolls', () => {
    const shown = lines(press(scopes(['a'], 1, { rows: 60 }), '?'));
    expect(shown[2]).toMatch(/^\{bold\} /);
    const keys = shown.filter((line) => line.includes(t('tui.danger')));
    expect(keys.length).toBeGreaterThan(3);
    for (const line of keys) expect(line).toMatch(/^\{warning\}! /);
    expect(lines(press(begin({ rows: 13 }), '?', 'j'))[2]).not.toMatch(/^\{bold\}/);
  });

  test.each([
    ['ctrl-d', 'Ctrl-D'],
    ['j', 'j'],
    ['enter', t('tui.keyname.enter')],
  ])('the key %s is called %s', (key, label) => expect(keyLabel(key, t)).toBe(label));

  test('results have a sign at what failed', () => {
    const failed = apply(begin(), {
      ...{ type: 'done', serial: 1 },
      outcome: {
        text: '1 failed',
        failed: true,
        lines: [
          { text: 'a\nb', style: 'danger' },
          { text: 'c', style: 'success' },
        ],
      },
    });
    const shown = lines(failed);
    expect(shown[2]).toMatch(/^\{bold\} /);
    expect(shown[3]).toMatch(/^\{danger\} ! a b/);
    expect(shown[4]).toMatch(/^\{success\} {3}c/);
  });
});

describe('a call that waits for the server', () => {
  const wait = { type: 'wait', kind: 'too-many-requests', until: now + 4200 } as const;
  const told = t('cli.wait.too-many-requests', { seconds: 5 });

  test('is told in place of a view that is loading, and beside one that is shown', () => {
    const list = apply(command(begin(), 'scopes'), wait);
    expect(lines(list)[2]).toContain(`{dim}  ${told}`);
    expect(last(list)).not.toContain(told);
    expect(lines(apply(begin(), wait))[2]).toContain(told);
    const shown = apply(scopes(['a']), wait);
    expect(last(shown)).toContain(`{warning} ${told}`);
    expect(
      last(
        apply(apply(scopes(['a']), { type: 'busy', serial: 1, text: 'Deleting', isCancelable: false }), wait),
      ),
    ).toContain(told);
  });

  test('is told until the server is asked again, or has replied', () => {
    const shown = apply(scopes(['a']), wait);
    expect(last(apply(shown, { type: 'tick', now: now + 4200 }))).not.toContain(told);
    expect(last(rows(shown, scopeRows('a')))).not.toContain(told);
  });

  test('leaves what is being typed', () => {
    expect(last(press(apply(scopes(['a']), wait), '/', 'x'))).not.toContain(told);
  });
});
