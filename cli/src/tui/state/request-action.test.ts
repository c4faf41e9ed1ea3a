import { describe, expect, test } from 'vitest';
import { testContext } from '../../../test/start-test-tui.tsx';
import { listOf, scopeRows, testDriver } from '../../../test/tui-state.ts';
import { createView } from './navigation.ts';
import {
  actionForShortcut,
  availableActions,
  createActionMenu,
  selectedIds,
  selectionIn,
  shellCommandOf,
} from './request-action.ts';
import { detailView, type State, topView, type View } from './state.ts';

const context = await testContext();
const { begin, command, press, rows, sheet } = testDriver(context);

const scopes = (...names: string[]) => rows(command(begin(), 'scopes'), scopeRows(...names));
const rules = (...disabled: boolean[]) =>
  rows(
    command(begin(), 'rules'),
    disabled.map((one, index) => ({ ruleId: `r${index}`, displayName: `rule ${index}`, disabled: one })),
  );
const named = (view: View) => availableActions(context, view).map(({ name }) => name);
const item = (resource: string, id: string | undefined, title: string): View => ({
  ...detailView({ kind: 'item', resource, params: { networkId: 'n' }, ...(id ? { id } : {}) }, title),
  row: { displayName: title },
});
const question = (state: State) => {
  if (state.overlay?.kind !== 'ask' && state.overlay?.kind !== 'ask-text')
    throw new Error('nothing is asked');
  return state.overlay;
};

describe('what an action applies to', () => {
  test('is the row under the cursor, or the marked rows', () => {
    const state = scopes('web', 'db');
    expect(selectionIn(context, topView(state))).toEqual({
      resource: 'scope',
      subjects: [
        { id: 'web', params: {}, title: 'web', row: expect.objectContaining({ displayName: 'web' }) },
      ],
    });
    expect(selectionIn(context, topView(press(state, 'A')))!.subjects.map(({ id }) => id)).toEqual([
      'web',
      'db',
    ]);
  });

  test('is the item that is open, with its path', () => {
    expect(selectionIn(context, item('snapshot', 's', 'a\nb'))).toEqual({
      resource: 'snapshot',
      subjects: [{ id: 's', params: { networkId: 'n' }, title: 'a b', row: { displayName: 'a\nb' } }],
    });
  });

  test('is nothing at home, and the line under the cursor in Sonar', () => {
    const link = { kind: 'item', resource: 'network', params: {}, id: 'n' } as const;
    const lines = [
      { key: 'a', depth: 0, text: 'a', link, title: 'Office' },
      { key: 'b', depth: 0, text: 'b', link: { kind: 'list', resource: 'network', params: {} } as const },
    ];
    const home = sheet(begin(), { lines });
    expect(selectionIn(context, topView(home))).toBeUndefined();
    const sonar = sheet(command(begin(), 'sonar'), { lines });
    expect(selectionIn(context, topView(sonar))).toEqual({
      resource: 'network',
      subjects: [{ id: 'n', params: {}, title: 'Office', row: undefined }],
    });
    expect(selectionIn(context, topView(press(sonar, 'j')))).toBeUndefined();
    expect(named(topView(press(sonar, 'j')))).toEqual([]);
  });
});

describe('the actions that are offered', () => {
  test('are those for several where several are marked', () => {
    expect(named(topView(scopes('web')))).toEqual(['edit', 'reset', 'delete']);
    expect(named(topView(press(scopes('web', 'db'), 'A')))).toEqual(['reset', 'delete']);
  });

  test.each([
    ['enabled', [false], 'disable'],
    ['disabled', [true], 'enable'],
  ])('switch off what is on, and on what is off: %s', (_what, disabled, expected) => {
    const view = topView(rules(...disabled));
    expect(named(view)).toEqual(['edit', expected, 'delete']);
    expect(actionForShortcut(context, view, 'toggle')?.name).toBe(expected);
  });

  test('do both where some are on and some off; the key switches them off', () => {
    const view = topView(press(rules(true, false), 'A'));
    expect(named(view)).toEqual(['enable', 'disable', 'delete']);
    expect(actionForShortcut(context, view, 'toggle')?.name).toBe('disable');
  });

  test.each([
    ['create', 'create'],
    ['edit', 'edit'],
    ['remove', 'delete'],
    ['toggle', undefined],
  ] as const)('have the key for %s in a list of scopes', (shortcut, expected) => {
    expect(actionForShortcut(context, topView(scopes('web')), shortcut)?.name).toBe(expected);
  });

  test('have no new item beside an open one, or in the stream', () => {
    expect(actionForShortcut(context, item('scope', 's', 'web'), 'create')).toBeUndefined();
    expect(actionForShortcut(context, createView(context, { kind: 'stream' }), 'create')).toBeUndefined();
  });
});

describe('the menu of actions', () => {
  const menuOf = (view: View, shown = context) => {
    const menu = createActionMenu(shown, view);
    return menu?.kind === 'menu' ? menu : undefined;
  };

  test('is named after its item, warns of what destroys, and ends with the new item', () => {
    const menu = menuOf(topView(scopes('web')))!;
    expect(menu.title).toBe('scope web');
    expect(menu.items.map(({ text, danger, note, refused }) => [text, danger, note, refused])).toEqual([
      [context.t('tui.act.edit'), false, undefined, undefined],
      [context.t('tui.act.reset'), false, 'severity', undefined],
      [context.t('tui.act.delete'), true, undefined, undefined],
      [context.t('tui.act.create'), false, undefined, undefined],
    ]);
    const forced = menuOf(item('session', 's', 'db-01'))!.items.filter(({ danger }) => danger);
    expect(forced.map(({ text }) => text)).toEqual([context.t('tui.act.close-force')]);
  });

  test('lacks what is too late for an item that has ended', () => {
    const view = item('session', 's', 'db-01');
    const closed = { ...view, row: { displayName: 'db-01', status: 'closed' } } as View;
    expect(menuOf(closed)!.items.map(({ text }) => text)).toEqual([context.t('tui.act.edit')]);
  });

  test('counts several items', () => {
    expect(menuOf(topView(press(scopes('web', 'db'), 'A')))!.title).toBe('2 Scopes');
  });

  test('says why an action is refused', async () => {
    const reader = await testContext('en', { permissions: ['alerthub:scopes:list'] });
    const [edit] = menuOf(topView(scopes('web')), reader)!.items;
    expect(edit!.refused).toContain('alerthub:scopes:update');
  });

  test('is not opened where there is no item, or none of its actions', () => {
    expect(menuOf(topView(begin()))).toBeUndefined();
    expect(menuOf(topView(scopes()))).toBeUndefined();
    expect(menuOf(item('message', 'm', 'disk'))).toBeUndefined();
  });
});

describe('before an action is done', () => {
  test('the name is asked for where children go with the item, the number where several go', () => {
    expect(question(press(scopes('web'), 'D'))).toMatchObject({ text: 'web' });
    expect(question(press(rules(false), 'D'))).toMatchObject({ kind: 'ask' });
    expect(question(press(rules(false, true), 'A', 'D'))).toMatchObject({
      text: '2',
      question: context.t('tui.ask', { act: context.t('tui.act.delete'), what: '2 Rules' }),
      command: { act: 'perform', resource: 'rule', subjects: [{ id: 'r0' }, { id: 'r1' }] },
    });
    // Several are switched off with a plain yes.
    expect(question(press(rules(false, false), 'A', 't'))).toMatchObject({ kind: 'ask' });
  });

  test('nothing is asked where nothing is selected', () => {
    expect(press(scopes(), 'D')).toMatchObject({ overlay: undefined, request: undefined });
  });

  test.each([
    ['e', 'form', 'edit'],
    ['E', 'edit', 'edit'],
    ['n', 'form', 'create'],
  ])('%s opens a %s at once', (key, act, operation) => {
    const { request, overlay } = press(scopes('web'), key);
    expect(overlay).toBeUndefined();
    expect(request).toMatchObject({ act, resource: 'scope', action: { operation } });
    expect(request).toHaveProperty('subject.id', operation === 'create' ? undefined : 'web');
  });

  test('a new item in an empty list is created with the path of the list', () => {
    const networks = rows(command(begin(), 'snapshots'), [{ networkId: 'n', displayName: 'Office' }]);
    const settings = press(networks, 'enter');
    expect(listOf(settings).target).toMatchObject({ params: { networkId: 'n' } });
    const conditions = rows(command(press(networks, 'enter'), 'scan-notifications'), []);
    expect(press(conditions, 'n').request).toMatchObject({
      act: 'form',
      resource: 'scan-notification',
      subject: { id: undefined, params: { networkId: 'n' }, title: '' },
    });
  });

  test('each effect has a number of its own', () => {
    const first = press(scopes('web'), 'y');
    const second = press(first, 'y');
    expect([first.request!.serial, second.request!.serial]).toEqual([1, 2]);
  });
});

describe('what is copied', () => {
  test('are the ids of the rows, or that of the item', () => {
    expect(selectedIds(context, topView(press(scopes('web', 'db'), 'A')))).toBe('web\ndb');
    expect(selectedIds(context, item('scope', 's', 'web'))).toBe('s');
    expect(selectedIds(context, item('line', undefined, 'Line'))).toBe('');
  });

  test('is the id of the line under the cursor at home, where it has one', () => {
    const lines = [
      {
        key: 'a',
        depth: 0,
        text: 'a',
        link: { kind: 'item', resource: 'scope', params: {}, id: 's' } as const,
      },
      { key: 'b', depth: 0, text: 'b', link: { kind: 'list', resource: 'scope', params: {} } as const },
      { key: 'c', depth: 0, text: 'c', link: { kind: 'item', resource: 'line', params: {} } as const },
    ];
    const home = sheet(begin(), { lines });
    expect(selectedIds(context, topView(home))).toBe('s');
    expect(press(home, 'y').request).toMatchObject({ act: 'copy', text: 's' });
    expect(press(home, 'j', 'y').request).toBeUndefined();
    expect(press(home, 'j', 'j', 'y').request).toBeUndefined();
    expect(selectedIds(context, topView(begin()))).toBe('');
  });

  test.each<[string, View, string]>([
    ['home', createView(context, { kind: 'home' }), 'yagura alerts'],
    ['Sonar', createView(context, { kind: 'sonar' }), 'yagura sonar networks list'],
    [
      'the stream',
      createView(context, { kind: 'stream' }),
      'yagura alerthub messages list --sort -receivedAt',
    ],
    ['an item', item('snapshot', 's 1', 'x'), `yagura sonar snapshots show 's 1' --network n`],
    [
      'a sorted list',
      createView(context, { kind: 'list', resource: 'scope', params: {}, sort: '-severity' }),
      'yagura alerthub scopes list --sort -severity',
    ],
  ])('is the command of %s', (_what, view, expected) => {
    expect(shellCommandOf(context, view)).toBe(expected);
  });
});
