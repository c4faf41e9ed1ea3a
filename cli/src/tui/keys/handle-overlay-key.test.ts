import { describe, expect, test } from 'vitest';
import { testContext } from '../../../test/start-test-tui.tsx';
import { listOf, scopeRows, sheetOf, testDriver } from '../../../test/tui-state.ts';
import { commandCompletions, matchCompletions } from '../state/command-bar.ts';
import { type State, topView } from '../state/state.ts';
import { keyBindingsIn } from './key-bindings.ts';

const context = await testContext();
const { apply, begin, command, press, rows } = testDriver(context);
const scopes = (names: string[], total = names.length) =>
  rows(command(begin(), 'scopes'), scopeRows(...names), { total });
const overlayOf = <K extends NonNullable<State['overlay']>['kind']>(state: State, kind: K) => {
  if (state.overlay?.kind !== kind) throw new Error(`no ${kind}: ${state.overlay?.kind}`);
  return state.overlay as Extract<State['overlay'], { kind: K }>;
};

describe('a text that scrolls', () => {
  // Ten rows are between the header and the footer.
  const lines = keyBindingsIn('home').length;
  const help = (...keys: string[]) => press(begin({ rows: 13 }), '?', ...keys);
  const last = lines + 1 - 10;

  test.each([
    [['down'], 1],
    [['j', 'j', 'k'], 1],
    [['wheel-down'], 3],
    [['wheel-down', 'wheel-up'], 0],
    [['space'], 10],
    [['page-down'], 10],
    [['page-down', 'ctrl-u'], 0],
    [['j', 'page-up'], 0],
    [['ctrl-d', 'ctrl-d', 'ctrl-d', 'ctrl-d'], last],
    [['ctrl-d', 'ctrl-d', 'ctrl-d', 'ctrl-d', 'up'], last - 1],
  ])('after %j begins at line %i', (keys, expected) => {
    expect(overlayOf(help(...keys), 'help').scrollTop).toBe(expected);
  });

  test('is closed by any other key', () => expect(help('x').overlay).toBeUndefined());

  test('that fits does not scroll', () => {
    const failed = apply(begin(), {
      ...{ type: 'done', serial: 1 },
      outcome: {
        text: '2 failed',
        failed: true,
        lines: [
          { text: 'a', style: 'danger' },
          { text: 'b', style: 'success' },
        ],
      },
    });
    expect(overlayOf(failed, 'results')).toMatchObject({ scrollTop: 0, lines: [{}, {}] });
    expect(overlayOf(press(failed, 'page-down'), 'results').scrollTop).toBe(0);
    expect(press(failed, 'enter').overlay).toBeUndefined();
  });
});

describe('the command line', () => {
  test.each(['escape', 'backspace'])('with nothing typed is closed by %s', (key) => {
    expect(press(begin(), ':', key)).toEqual(begin());
    expect(press(begin(), ':', 'x', 'escape')).toEqual(begin());
  });

  test('is not closed by a backspace that has something to remove', () => {
    expect(overlayOf(press(begin(), ':', 'x', 'backspace'), 'command').input.text).toBe('');
  });

  test('runs the picked completion, unless a whole word was typed', () => {
    const picked = press(begin(), ':', ...'sco', 'enter');
    expect(listOf(picked).resource).toBe('scope');
    const other = press(begin(), ':', ...'rule', 'down', 'enter');
    expect(listOf(other).resource).toBe('rule-operator');
    // `rule` alone is no completion, `rules` is one.
    expect(listOf(press(begin(), ':', ...'rules', 'down', 'enter')).resource).toBe('rule');
  });

  test.each([
    ['down', 1],
    ['ctrl-n', 1],
    ['up', -1],
    ['ctrl-p', -1],
    ['shift-tab', -1],
  ])('%s goes on by one, around both ends', (key, by) => {
    const { length } = matchCompletions('runbook', commandCompletions(context, []));
    expect(length).toBeGreaterThan(2);
    let state = press(begin(), ':', ...'runbook');
    for (let step = 1; step <= length + 1; step += 1) {
      state = press(state, key);
      expect(overlayOf(state, 'command').picked).toBe((length + ((by * step) % length)) % length);
    }
    expect(overlayOf(press(begin(), ':', ...'xyzzy', key), 'command').picked).toBe(0);
  });

  test('Tab writes the picked completion, with a space for what follows', () => {
    expect(overlayOf(press(begin(), ':', ...'scop', 'tab'), 'command').input).toEqual({
      text: 'scopes ',
      at: 7,
    });
    expect(overlayOf(press(begin(), ':', ...'xyzzy', 'tab'), 'command').input.text).toBe('xyzzy');
  });

  test('opens an item by its name or id, above home', () => {
    const state = command(scopes(['web']), 'scopes web front');
    expect(state.stack).toHaveLength(2);
    expect(sheetOf(state)).toMatchObject({
      title: 'web front',
      target: { kind: 'item', resource: 'scope', params: {}, id: 'web front' },
    });
  });

  test('opens an item of a child with the path of the view, and none of a parent', () => {
    const networks = rows(command(begin(), 'snapshots'), [{ networkId: 'n', displayName: 'Office' }]);
    const snapshots = press(networks, 'enter');
    expect(sheetOf(command(snapshots, 'snapshots s')).target).toMatchObject({
      params: { networkId: 'n' },
      id: 's',
    });
    expect(sheetOf(command(snapshots, 'scopes s')).target).toMatchObject({ params: {}, id: 's' });
    expect(listOf(command(snapshots, 'nodes'))).toMatchObject({
      target: { resource: 'snapshot', params: { networkId: 'n' } },
      destinationResource: 'node',
    });
  });

  test.each([
    ['home', { kind: 'home' }],
    ['sonar', { kind: 'sonar' }],
    ['logs', { kind: 'stream' }],
  ])('%s opens that view', (word, target) => {
    expect(topView(command(scopes(['web']), word)).target).toEqual(target);
  });

  test('help, reload and quit do what their keys do', () => {
    expect(overlayOf(command(begin(), 'help'), 'help').scrollTop).toBe(0);
    expect(command(begin(), 'reload').reloadCount).toBe(1);
    expect(command(begin(), 'quit').quit).toBe(true);
    expect(command(begin(), 'q').quit).toBe(true);
  });

  test('does an action to what is selected, after the question', () => {
    const asked = command(scopes(['web']), 'delete');
    expect(overlayOf(asked, 'ask-text')).toMatchObject({
      text: 'web',
      command: { subjects: [{ id: 'web' }] },
    });
  });

  test('that is unknown is told, with what may be meant', () => {
    expect(command(begin(), 'scopse x').notice).toEqual({
      text: context.t('tui.unknown.close', { word: 'scopse', close: 'scopes' }),
      style: 'warning',
    });
    expect(command(begin(), 'xyzzyxyzzy').notice?.text).toBe(
      context.t('tui.unknown', { word: 'xyzzyxyzzy' }),
    );
  });
});

describe('the filter', () => {
  const shown = (state: State) => listOf(state).visibleItems.map(({ id }) => id);

  test('applies while it is typed; Escape puts back the one before', () => {
    const kept = press(scopes(['web', 'db', 'web-2']), '/', 'w', 'enter');
    const typing = press(kept, '/', ...'eb-');
    expect(listOf(typing).filter).toBe('web-');
    expect(shown(typing)).toEqual(['web-2']);
    const back = press(typing, 'escape');
    expect(shown(back)).toEqual(['web', 'web-2']);
    expect(back.overlay).toBeUndefined();
  });

  test.each(['up', 'down'])('%s leaves it as it is typed', (key) => {
    const state = press(scopes(['web', 'db']), '/', 'w', key);
    expect(state.overlay).toBeUndefined();
    expect(listOf(state).filter).toBe('w');
  });

  test('a backspace in an empty one closes it, and one with text does not', () => {
    const state = press(scopes(['web', 'db']), '/', 'w', 'backspace');
    expect(overlayOf(state, 'filter').input.text).toBe('');
    expect(shown(state)).toEqual(['web', 'db']);
    expect(press(state, 'backspace').overlay).toBeUndefined();
  });

  test('stays here where all rows are loaded', () => {
    const state = press(scopes(['web', 'db']), '/', ...' w', 'enter');
    expect(listOf(state)).toMatchObject({ filter: 'w', serverQuery: '', target: { params: {} } });
    expect(listOf(state).target).not.toHaveProperty('filter');
  });

  test('goes to the server where rows are missing, and begins anew', () => {
    const marked = press(scopes(['web', 'db', 'web-2'], 4), 'j', 'space');
    const state = press(marked, '/', ...'web', 'enter');
    expect(listOf(state)).toMatchObject({
      target: { filter: 'displayName co "web"' },
      serverQuery: 'web',
      filter: '',
      items: undefined,
      visibleItems: [],
      selectedId: undefined,
      cursor: 0,
    });
    expect(listOf(state).marks.size).toBe(0);
  });

  test('that is an expression goes to the server as it is', () => {
    const state = press(
      scopes(['web']),
      '/',
      ...[...'severity ge 5'].map((one) => (one === ' ' ? 'space' : one)),
      'enter',
    );
    expect(listOf(state)).toMatchObject({
      target: { filter: 'severity ge 5' },
      serverQuery: 'severity ge 5',
    });
  });

  test('of nothing but spaces is none', () => {
    expect(listOf(press(scopes(['web'], 9), '/', 'space', 'enter'))).toMatchObject({
      filter: '',
      serverQuery: '',
    });
  });

  test('of a stream stays here', () => {
    const stream = rows(command(begin(), 'logs'), [{ messageId: 'm1' }, { messageId: 'x2' }], { total: 900 });
    const state = press(stream, '/', 'm', 'enter');
    expect(listOf(state)).toMatchObject({ filter: 'm', serverQuery: '' });
  });
});

describe('a menu', () => {
  test('has the items that match what is typed, also by the name of the action', () => {
    const menu = press(scopes(['web']), 'a');
    expect(overlayOf(menu, 'menu').items).toHaveLength(4);
    const asked = press(menu, ...'DELETE', 'enter');
    expect(overlayOf(asked, 'ask-text').command).toMatchObject({ action: { name: 'delete' } });
    expect(overlayOf(press(menu, ...'zzz', 'enter'), 'menu').input.text).toBe('zzz');
    expect(overlayOf(press(menu, ...'zzz', 'down'), 'menu').picked).toBe(0);
  });

  test('is closed by Escape, and by a backspace with nothing typed', () => {
    const menu = press(scopes(['web']), 'a');
    expect(press(menu, 'x', 'escape').overlay).toBeUndefined();
    expect(press(menu, 'backspace').overlay).toBeUndefined();
    expect(press(menu, 'x', 'backspace').overlay?.kind).toBe('menu');
  });

  test('creates a new item with the path of the list, not in place of the row', () => {
    const { request } = press(scopes(['web']), 'a', ...'create', 'enter');
    expect(request).toMatchObject({ act: 'form', subject: { id: undefined, params: {}, title: '' } });
  });

  test('says why an item of it is refused, and does nothing', async () => {
    const reader = testDriver(await testContext('en', { readonly: true }));
    const list = reader.rows(reader.command(reader.begin(), 'scopes'), scopeRows('web'));
    const state = reader.press(list, 'a', 'enter');
    expect(state).toMatchObject({
      overlay: undefined,
      request: undefined,
      notice: { text: context.t('tui.readonly.refused'), style: 'warning' },
    });
  });
});

describe('a question', () => {
  test.each(['y', 'Y'])('that wants a yes is answered by %s', (key) => {
    const asked = press(command(scopes(['web']), 'reset'), key);
    expect(asked).toMatchObject({
      overlay: undefined,
      request: { act: 'perform', action: { name: 'reset' } },
    });
  });

  test.each(['n', 'enter', 'yes', 'escape'])('is not answered by %s', (key) => {
    expect(press(command(scopes(['web']), 'reset'), key)).toMatchObject({
      overlay: undefined,
      request: undefined,
    });
  });

  test('that wants a name takes that name alone', () => {
    const asked = press(scopes(['web']), 'D');
    expect(press(asked, ...'web', 'enter').request).toMatchObject({ act: 'perform' });
    expect(press(asked, 'space', ...'web', 'space', 'enter').request).toMatchObject({ act: 'perform' });
    for (const typed of ['we', 'webs', 'Web', '']) {
      const after = press(asked, ...typed, 'enter');
      expect(after.request).toBeUndefined();
      expect(overlayOf(after, 'ask-text').input.text).toBe(typed);
    }
    expect(press(asked, ...'web', 'escape')).toMatchObject({ overlay: undefined, request: undefined });
  });

  test('that asks for a note takes any, or none', () => {
    const row = { scopeId: 'web', displayName: 'web', status: 'incident', acknowledgedAt: null };
    const asked = command(rows(command(begin(), 'scopes'), [row]), 'acknowledge');
    expect(overlayOf(asked, 'ask-text').text).toBeUndefined();
    for (const [typed, note] of [
      ['', ''],
      [' on it ', 'on it'],
    ] as const) {
      const keys = [...typed].map((key) => (key === ' ' ? 'space' : key));
      expect(press(asked, ...keys, 'enter')).toMatchObject({
        overlay: undefined,
        request: { act: 'perform', action: { name: 'acknowledge' }, note },
      });
    }
    expect(press(asked, 'y').request).toBeUndefined();
    expect(press(asked, 'y', 'escape')).toMatchObject({ overlay: undefined, request: undefined });
  });
});
