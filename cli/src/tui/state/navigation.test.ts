import { describe, expect, test } from 'vitest';
import { testContext } from '../../../test/start-test-tui.tsx';
import { listOf, scopeRows, sheetOf, testDriver } from '../../../test/tui-state.ts';
import { createView, nearestViewTo, pathParamsIn, popView, pushView } from './navigation.ts';
import { topView } from './state.ts';

const context = await testContext();
const { begin, command, press, rows, sheet } = testDriver(context);

test.each([
  [{ kind: 'home' }, undefined, 'sheet', 'Home'],
  [{ kind: 'sonar' }, undefined, 'sheet', 'Sonar'],
  [{ kind: 'stream' }, undefined, 'list', context.t('tui.stream')],
  [{ kind: 'list', resource: 'scope', params: {} }, undefined, 'list', 'Scopes'],
  [{ kind: 'list', resource: 'scope', params: {} }, 'Bad ones', 'list', 'Bad ones'],
  [{ kind: 'item', resource: 'scope', params: {}, id: 's' }, undefined, 'sheet', 's'],
  [{ kind: 'item', resource: 'scope', params: {}, id: 's' }, 'web', 'sheet', 'web'],
  [{ kind: 'item', resource: 'line', params: {} }, undefined, 'sheet', 'phone line'],
] as const)('%j with the title %s', (target, title, kind, shown) => {
  expect(createView(context, target, title)).toMatchObject({ kind, title: shown, target });
});

test('fifty views are kept below the newest one, and home cannot be closed', () => {
  let state = begin();
  for (let depth = 0; depth < 60; depth += 1)
    state = pushView(
      state,
      createView(context, { kind: 'item', resource: 'scope', params: {}, id: `${depth}` }),
    );
  expect(state.stack).toHaveLength(51);
  expect(popView(state).stack).toHaveLength(50);
  expect(topView(popView(state)).title).toBe('58');
  expect(popView(begin()).stack).toEqual(begin().stack);
});

test('a list opened by a command is above home alone', () => {
  const scopes = command(begin(), 'scopes');
  const rules = command(scopes, 'rules');
  expect(rules.stack.map(({ title }) => title)).toEqual(['Home', 'Rules']);
  expect(command(rules, 'home').stack.map(({ title }) => title)).toEqual(['Home']);
});

test('the parameters of a view are those of its list, or of its item with the id', () => {
  const params = { networkId: 'n' };
  expect(pathParamsIn(createView(context, { kind: 'list', resource: 'snapshot', params }))).toEqual(params);
  expect(pathParamsIn(createView(context, { kind: 'item', resource: 'snapshot', params, id: 's' }))).toEqual({
    networkId: 'n',
    snapshotId: 's',
  });
  expect(pathParamsIn(createView(context, { kind: 'home' }))).toEqual({});
});

describe('the way to a resource', () => {
  const to = (resource: string, params = {}) => nearestViewTo(context, resource, params);
  test.each([
    ['a list', to('scope'), { target: { kind: 'list', resource: 'scope', params: {} } }],
    ['a single item', to('line'), { target: { kind: 'item', resource: 'line', params: {} } }],
    [
      'a child with its parent known, without other parameters',
      to('snapshot', { networkId: 'n', scopeId: 's' }),
      { target: { kind: 'list', resource: 'snapshot', params: { networkId: 'n' } } },
    ],
    [
      'a child through its parent',
      to('snapshot'),
      { target: { kind: 'list', resource: 'network', params: {} }, destinationResource: 'snapshot' },
    ],
    [
      'a single item of a parent, through it',
      to('scan-settings'),
      { target: { resource: 'network' }, destinationResource: 'scan-settings' },
    ],
    [
      'a child through a list that has the parameter',
      to('tag-value'),
      { target: { kind: 'list', resource: 'tag-key' }, destinationResource: 'tag-value' },
    ],
  ])('leads to %s', (_what, view, expected) => expect(view).toMatchObject(expected));

  test('ends where no list has the parameter', () => {
    expect(to('ticket')).toBeUndefined();
  });
});

describe('Enter', () => {
  test('on a row opens the item with what is known of it', () => {
    const list = rows(command(begin(), 'scopes'), scopeRows('web', 'db'));
    const opened = sheetOf(press(list, 'j', 'enter'));
    expect(opened).toMatchObject({
      title: 'db',
      target: { kind: 'item', resource: 'scope', params: {}, id: 'db' },
      row: { displayName: 'db' },
    });
  });

  test('in an empty list does nothing', () => {
    const list = rows(command(begin(), 'scopes'), []);
    expect(press(list, 'enter').stack).toEqual(list.stack);
  });

  test('on the way to a child goes on to it, with the parent in the title', () => {
    const networks = rows(command(begin(), 'snapshots'), [{ networkId: 'n', displayName: 'Office' }]);
    expect(listOf(networks).destinationResource).toBe('snapshot');
    expect(topView(press(networks, 'enter'))).toMatchObject({
      title: 'Office › Snapshots',
      target: { kind: 'list', resource: 'snapshot', params: { networkId: 'n' } },
    });
  });

  test('on a line opens what it leads to, with its title', () => {
    const link = { kind: 'list', resource: 'rule', params: {} } as const;
    const lines = [
      { key: 'a', depth: 0, text: 'a', link, title: 'Two rules' },
      { key: 'b', depth: 0, text: 'b' },
    ];
    const home = sheet(begin(), { lines });
    expect(topView(press(home, 'enter'))).toMatchObject({ title: 'Two rules', target: link });
    const item = sheet(press(home, 'enter'), {});
    expect(press(item, 'enter').stack).toHaveLength(2);
  });
});
