import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itemsOf, now, testContext, testRenderContext } from '../../test/start-test-tui.tsx';
import { resources } from '../resource/meta/resources.ts';
import { createTextInput } from './form/text-input.ts';
import { keyBindings } from './keys/key-bindings.ts';
import { type Action, createReducer } from './reducer.ts';
import { initialState, listView, type State, topView } from './state/state.ts';
import { renderFrame } from './views/render-frame.ts';

const context = await testContext();
const render = await testRenderContext(context);
const reduce = createReducer(context);

const words = resources.map(({ plural }) => plural);
const keys = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...new Set(keyBindings.flatMap((entry) => entry.keys.filter((key) => key !== 'ctrl-c' && key !== 'Q'))),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('y', 'n', '監', '🙂', 'backspace', 'tab', 'delete', 'ctrl-w', 'shift-tab'),
  },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }) },
);
const typing = fc.oneof(
  { weight: 5, arbitrary: keys.map((key) => [key]) },
  { weight: 1, arbitrary: fc.constantFrom(...words).map((word) => [':', ...word, 'enter']) },
);
const sizes = fc.record({ columns: fc.integer({ min: 1, max: 200 }), rows: fc.integer({ min: 1, max: 60 }) });

type Step =
  | { kind: 'keys'; keys: string[] }
  | { kind: 'rows'; ids: number[]; offset: number; extra: number }
  | { kind: 'sheet'; lines: number }
  | { kind: 'size'; size: State['size'] }
  | { kind: 'form' }
  | { kind: 'mistakes' }
  | { kind: 'failed' }
  | { kind: 'done'; failed: boolean };

const steps = fc.array(
  fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
    { weight: 8, arbitrary: typing.map((pressed) => ({ kind: 'keys', keys: pressed })) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('rows'),
        ids: fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 30 }),
        offset: fc.integer({ min: 0, max: 10 }),
        extra: fc.integer({ min: 0, max: 50 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('sheet'), lines: fc.integer({ min: 0, max: 40 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('size'), size: sizes }) },
    { weight: 3, arbitrary: fc.constant({ kind: 'form' }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'mistakes' }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'failed' }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('done'), failed: fc.boolean() }) },
  ),
  { maxLength: 40 },
);

/** Applies a step to the top view. */
function actionOf(state: State, step: Step): Action {
  const view = topView(state);
  switch (step.kind) {
    case 'keys':
      return { type: 'keys', keys: step.keys };
    case 'rows': {
      const resource = view.kind === 'list' ? view.resource : 'scope';
      const id = resources.find(({ name }) => name === resource)!.id;
      const items = itemsOf(
        resource,
        step.ids.map((number) => ({
          [id]: `id ${number}`,
          displayName: `名前 ${number}`,
          disabled: number % 2 === 0,
        })),
      );
      const offset = Math.min(step.offset, view.kind === 'list' ? (view.items?.length ?? 0) : 0);
      const rows = {
        items,
        offset,
        total: offset + items.length + step.extra,
        names: new Map<string, string>(),
      };
      return { type: 'rows', target: view.target, rows, at: now };
    }
    case 'sheet': {
      const lines = Array.from({ length: step.lines }, (_, index) => ({
        key: String(index),
        depth: index % 3,
        text: `line ${index} 監視 `.repeat(index % 9),
        ...(index % 4 === 0
          ? { link: { kind: 'item', resource: 'scope', params: {}, id: 'x' } as const }
          : {}),
        ...(index % 5 === 0 ? { label: 'ラベル' } : {}),
      }));
      return {
        type: 'sheet',
        target: view.target,
        title: 'title 題',
        detail: { lines, tables: [] },
        row: { a: 'b' },
        at: now,
      };
    }
    case 'size':
      return { type: 'size', size: step.size };
    case 'form':
      return state.request?.act === 'form'
        ? { type: 'form', request: state.request, base: { displayName: '監視' }, etag: undefined }
        : { type: 'ended', serial: 0 };
    case 'mistakes':
      return {
        ...{ type: 'mistakes', serial: state.request?.serial ?? 0 },
        errors: [
          { path: 'displayName', reason: 'a reason 理由 '.repeat(9) },
          { path: '', reason: 'as a whole' },
        ],
      };
    case 'failed':
      return { type: 'failed', target: view.target, reason: 'away', offline: true };
    case 'done': {
      const lines = [
        { text: 'one', style: 'danger' as const },
        { text: 'two', style: 'success' as const },
      ];
      const serial = state.request?.serial ?? 0;
      return { type: 'done', serial, outcome: { text: 'done', failed: step.failed, lines } };
    }
  }
}

/** Splits a step of several keys into single keys, so that each effect can be checked. */
function oneByOne(step: Step): Step[] {
  return step.kind === 'keys' ? step.keys.map((key) => ({ kind: 'keys', keys: [key] })) : [step];
}

describe('whatever is pressed and whatever arrives', () => {
  test('there is a whole frame, the cursor is on a row, and nothing is done unasked', () => {
    fc.assert(
      fc.property(sizes, steps, (size, list) => {
        let state = initialState('Home', size, now);
        for (const step of list.flatMap(oneByOne)) {
          const before = state;
          state = reduce(state, actionOf(state, step));
          const { lines, cursor } = renderFrame(state, context, render);
          expect(lines).toHaveLength(state.size.rows);
          for (const line of lines)
            expect(render.measure.width(line)).toBeLessThanOrEqual(state.size.columns);
          if (cursor) {
            expect(cursor.row).toBeLessThan(state.size.rows);
            expect(cursor.column).toBeLessThan(state.size.columns);
          }
          const view = topView(state);
          if (view.kind === 'list') {
            expect(view.cursor).toBeLessThanOrEqual(Math.max(0, view.visibleItems.length - 1));
            expect(view.scrollTop).toBeLessThanOrEqual(view.cursor);
          }
          if (state.request !== before.request && state.request?.act === 'perform') {
            // An action runs only after confirmation, and only the confirmed one.
            const { overlay } = before;
            if (overlay?.kind !== 'ask' && overlay?.kind !== 'ask-text')
              throw new Error(`done without a question: ${JSON.stringify(step)}`);
            expect(step).toMatchObject({
              keys: [overlay.kind === 'ask' ? expect.stringMatching(/^y$/i) : 'enter'],
            });
            if (overlay.kind === 'ask-text' && overlay.text !== undefined)
              expect(overlay.input.text.trim()).toBe(overlay.text.trim());
            expect(state.request).toMatchObject(overlay.command);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('one key alone never does a thing', () => {
    fc.assert(
      fc.property(steps, keys, (list, key) => {
        let state = initialState('Home', { columns: 80, rows: 24 }, now);
        for (const step of list) state = reduce(state, actionOf(state, step));
        const view = { ...state, overlay: undefined };
        const after = reduce(view, { type: 'keys', keys: [key] });
        expect(after.request === view.request || after.request?.act !== 'perform').toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('the row under the cursor stays, on its line of the screen, while rows come and go around it', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { minLength: 60, maxLength: 100 });
    fc.assert(
      fc.property(ids, ids, fc.integer({ min: 20, max: 40 }), (first, second, at) => {
        let state = initialState('Home', { columns: 80, rows: 12 }, now);
        state = reduce(state, { type: 'keys', keys: [':', ...'scopes', 'enter'] });
        const rows = (list: readonly number[]): Action => {
          const items = itemsOf(
            'scope',
            list.map((id) => ({ scopeId: String(id), displayName: `n${id}` })),
          );
          return {
            type: 'rows',
            target: topView(state).target,
            rows: { items, offset: 0, total: items.length, names: new Map() },
            at: now,
          };
        };
        state = reduce(state, rows(first));
        state = reduce(state, { type: 'keys', keys: Array<string>(at).fill('j') });
        const before = topView(state);
        const chosen = first[at]!;
        // The row is in the new list too, far enough from both ends.
        const others = second.filter((id) => id !== chosen);
        const params = Math.floor(others.length / 2);
        state = reduce(state, rows([...others.slice(0, params), chosen, ...others.slice(params)]));
        const after = topView(state);
        if (before.kind !== 'list' || after.kind !== 'list') throw new Error('no list');
        expect(after.visibleItems[after.cursor]!.id).toBe(String(chosen));
        expect(after.cursor - after.scrollTop).toBe(before.cursor - before.scrollTop);
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ['the next takes its place', 3, [0, 1, 2, 4, 5], '4'],
    ['the last is taken where none follows', 5, [0, 1, 2], '2'],
  ])('when the row under the cursor goes, %s', (_what, at, left, expected) => {
    let state = initialState('Home', { columns: 80, rows: 24 }, now);
    state = reduce(state, { type: 'keys', keys: [':', ...'scopes', 'enter'] });
    const arrive = (ids: readonly number[]) => {
      const items = itemsOf(
        'scope',
        ids.map((id) => ({ scopeId: String(id), displayName: `n${id}` })),
      );
      const rows = { items, offset: 0, total: items.length, names: new Map() };
      state = reduce(state, { type: 'rows', target: topView(state).target, rows, at: now });
    };
    arrive([0, 1, 2, 3, 4, 5]);
    state = reduce(state, { type: 'keys', keys: Array<string>(at).fill('j') });
    arrive(left);
    const view = topView(state);
    if (view.kind !== 'list') throw new Error('no list');
    expect(view.visibleItems[view.cursor]!.id).toBe(expected);
    expect(view.selectedId).toBe(expected);
  });
});

describe('what arrives', () => {
  const begun = () => initialState('Home', { columns: 80, rows: 24 }, now);
  const press = (state: State, ...pressed: string[]) => reduce(state, { type: 'keys', keys: pressed });
  const scopes = (state: State) => {
    const shown = press(state, ':', ...'scopes', 'enter');
    const items = itemsOf('scope', [{ scopeId: 's', displayName: 'web' }]);
    return reduce(shown, {
      type: 'rows',
      target: topView(shown).target,
      rows: { items, offset: 0, total: 1, names: new Map() },
      at: now,
    });
  };
  /** A form for the scope, waiting for its initial values. */
  const asking = () => {
    const state = press(scopes(begun()), 'e');
    const { request } = state;
    if (request?.act !== 'form') throw new Error('no form was asked for');
    const arrives = (to: State) =>
      reduce(to, { type: 'form', request, base: { displayName: 'web' }, etag: '"1"' });
    return { state, arrives };
  };

  test('the command of a list has its filter and the words typed, and words keep the filter', () => {
    const target = { kind: 'list', resource: 'scope', params: {}, filter: 'status ne "normal"' } as const;
    const shown = { ...begun(), stack: [...begun().stack, listView(target, 'scope', 'Scopes')] };
    const rows = (state: State, total: number) =>
      reduce(state, {
        type: 'rows',
        target: topView(state).target,
        rows: {
          items: itemsOf('scope', [{ scopeId: 's', displayName: 'web' }]),
          offset: 0,
          total,
          names: new Map(),
        },
        at: now,
      });
    const typed = press(rows(shown, 1), '/', ...'web', 'enter');
    expect(press(typed, 'Y').request).toMatchObject({
      act: 'copy',
      text: `yagura alerthub scopes list --filter 'status ne "normal" and displayName co "web"'`,
    });
    const asked = press(rows(shown, 500), '/', ...'web', 'enter');
    expect(topView(asked).target).toMatchObject({ filter: 'status ne "normal" and displayName co "web"' });
    expect(topView(press(rows(asked, 1), 'escape')).target).toMatchObject({ filter: 'status ne "normal"' });
  });

  test('keys behind the one that ends it do nothing', () => {
    const state = press(scopes(begun()), 'D');
    const ended = press(state, 'ctrl-c', ...'web', 'enter');
    expect(ended.quit).toBe(true);
    expect(ended.request).toBe(state.request);
    expect(press(ended, 'escape', 'r').reloadCount).toBe(ended.reloadCount);
  });

  test('the clock does not go back', () => {
    const later = reduce(begun(), { type: 'tick', now: now + 1000 });
    expect(later.now).toBe(now + 1000);
    expect(reduce(later, { type: 'tick', now: now - 1000 }).now).toBe(now + 1000);
  });

  test('a form opens with what is there', () => {
    const { state, arrives } = asking();
    expect(arrives(state)).toMatchObject({
      overlay: { kind: 'form', texts: { displayName: 'web' }, etag: '"1"' },
    });
  });

  test('a text that is too long for its line is changed in the editor only', () => {
    const { state } = asking();
    const { request } = state;
    if (request?.act !== 'form') throw new Error('no form was asked for');
    const long = 'x'.repeat(501);
    const opened = reduce(state, { type: 'form', request, base: { displayName: long }, etag: '"1"' });
    expect(press(opened, '!', 'backspace').overlay).toEqual(opened.overlay);
  });

  test.each([
    ['help', ['?']],
    ['a question', ['D']],
    ['the command line', [':', 'x']],
    ['the filter', ['/', 'w']],
  ])('a form that comes late leaves %s alone', (_name, pressed) => {
    const { state, arrives } = asking();
    const other = press(state, ...pressed);
    expect(other.overlay).toBeDefined();
    const after = arrives(other);
    expect(after.overlay).toBe(other.overlay);
  });

  test('a form that could not be sent stays with what was typed and says why; one that was is over', () => {
    const { state, arrives } = asking();
    const typed = press(arrives(state), '!', 'ctrl-s');
    expect(typed.overlay).toMatchObject({ kind: 'form', submitting: true });
    const { serial } = typed.request!;
    const failed = reduce(typed, { type: 'done', serial, outcome: { text: 'unreachable', failed: true } });
    expect(failed).toMatchObject({
      overlay: {
        kind: 'form',
        submitting: false,
        texts: { displayName: 'web!' },
        errors: [{ path: '', reason: 'unreachable' }],
      },
      notice: { text: 'unreachable', style: 'danger' },
    });
    expect(renderFrame(failed, context, render).lines.join('\n')).toContain('! unreachable');
    const sent = reduce(typed, { type: 'done', serial, outcome: { text: 'done', failed: false } });
    expect(sent.overlay).toBeUndefined();
    // An operation that finishes while a form is open does not close the form.
    const filling = press(arrives(state), '!');
    const lines = [
      { text: 'one', style: 'danger' },
      { text: 'two', style: 'success' },
    ] as const;
    const elsewhere = [
      { text: 'done', failed: false },
      { text: 'failed', failed: true, lines },
    ];
    for (const outcome of elsewhere)
      for (const form of [filling, typed])
        expect(reduce(form, { type: 'done', serial: serial - 1, outcome }).overlay).toBe(form.overlay);
  });

  test('an action on many items is shown and can be canceled, whatever is done meanwhile', () => {
    const deleting = { serial: 7, text: 'Delete: 10 of 25', isCancelable: true };
    const started = { ...scopes(begun()), request: { act: 'copy', text: 'id', serial: 7 } as const };
    const copying = press(reduce(started, { type: 'busy', ...deleting }), 'y');
    const serial = copying.request!.serial;
    expect(copying.request).toMatchObject({ act: 'copy', serial: 8 });
    const told = reduce(copying, { type: 'busy', serial, text: 'Copy', isCancelable: false });
    const copied = reduce(reduce(told, { type: 'ended', serial }), {
      ...{ type: 'done', serial },
      outcome: { text: 'copied', failed: false },
    });
    for (const state of [told, copied]) {
      expect(renderFrame({ ...state, notice: undefined }, context, render).lines.join('\n')).toContain(
        '10 of 25',
      );
      expect(press(state, 'escape').canceled).toBe(7);
    }
    const canceled = press(copied, 'escape');
    expect(press(canceled, 'escape').canceled).toBe(7);
    expect(reduce(copied, { type: 'ended', serial: 7 }).operations).toEqual([]);
  });

  test('marks stay when something failed, and are gone when all was done', () => {
    const marked = press(scopes(begun()), 'space');
    const marksAfter = (failed: boolean) => {
      const view = topView(reduce(marked, { type: 'done', serial: 1, outcome: { text: 'done', failed } }));
      return view.kind === 'list' ? view.marks.size : undefined;
    };
    expect([marksAfter(true), marksAfter(false)]).toEqual([1, 0]);
  });

  test('the cursor stays on its line of a sheet, also when that is now the first', () => {
    const sheetOf = (keys: readonly string[]) => ({
      lines: keys.map((key) => ({
        key,
        depth: 0,
        text: key,
        link: { kind: 'item', resource: 'scope', params: {}, id: key } as const,
      })),
      tables: [],
    });
    const arrives = (state: State, ...lines: string[]) =>
      reduce(state, {
        type: 'sheet',
        target: topView(state).target,
        title: 'Home',
        detail: sheetOf(lines),
        at: now,
      });
    const cursor = (state: State) => topView(state).cursor;
    const down = press(arrives(begun(), 'a', 'b', 'c'), 'j', 'j');
    expect(cursor(down)).toBe(2);
    expect(cursor(arrives(down, 'c', 'd', 'e'))).toBe(0);
    expect(cursor(arrives(down, 'x', 'a', 'b', 'c'))).toBe(3);
    // A removed line leaves the cursor where it was, within the list.
    expect(cursor(arrives(down, 'a', 'b', 'x', 'y'))).toBe(2);
    expect(cursor(arrives(down, 'a'))).toBe(0);
  });
});

test('every way to a child without its parent leads through the parent', () => {
  let state = initialState('Home', { columns: 80, rows: 24 }, now);
  state = reduce(state, { type: 'keys', keys: [':', ...'node-packages', 'enter'] });
  for (const [resource, params] of [
    ['network', {}],
    ['snapshot', { networkId: 'n' }],
    ['node', { networkId: 'n', snapshotId: 's' }],
  ] as const) {
    expect(topView(state).target).toEqual({ kind: 'list', resource, params });
    const id = resource === 'network' ? 'n' : resource === 'snapshot' ? 's' : 'd';
    const items = itemsOf(resource, [{ [`${resource}Id`]: id }]);
    state = reduce(state, {
      type: 'rows',
      target: topView(state).target,
      rows: { items, offset: 0, total: 1, names: new Map() },
      at: now,
    });
    state = reduce(state, { type: 'keys', keys: ['enter'] });
  }
  expect(topView(state).target).toEqual({
    kind: 'list',
    resource: 'node-package',
    params: { networkId: 'n', snapshotId: 's', nodeId: 'd' },
  });
});

test('the picked command stays while the cursor moves in the text, and is the first again after a change', () => {
  const press = (state: State, ...keys: string[]) => reduce(state, { type: 'keys', keys });
  const picked = (state: State) =>
    state.overlay && 'picked' in state.overlay ? state.overlay.picked : undefined;
  const typed = press(initialState('Home', { columns: 80, rows: 24 }, now), ':', 's', 'down');
  expect(picked(typed)).toBe(1);
  expect(picked(press(typed, 'left'))).toBe(1);
  expect(picked(press(typed, 'c'))).toBe(0);
});

test.each([
  [1, ['down', 'ctrl-n', 'tab', 'wheel-down']],
  [-1, ['up', 'ctrl-p', 'shift-tab', 'wheel-up']],
])('each key of a menu goes on by %i, around both ends', (by, keys) => {
  const item = (text: string) => ({ text, note: undefined, choice: { kind: 'sort', field: text } }) as const;
  const items = [item('name'), item('status'), item('time')];
  const overlay = { kind: 'menu', title: 'Sort', items, input: createTextInput(), picked: 0 } as const;
  const menu: State = { ...initialState('Home', { columns: 80, rows: 24 }, now), overlay };
  for (const key of keys) {
    let state = menu;
    for (const step of [1, 2, 3]) {
      state = reduce(state, { type: 'keys', keys: [key] });
      expect(state.overlay).toMatchObject({ kind: 'menu', picked: (3 + by * step) % 3 });
    }
  }
});
