// Drives the reducer of the full-screen view without a screen.
import type { Row } from '../src/resource/meta/row.ts';
import { type Action, createReducer } from '../src/tui/reducer.ts';
import type { AppContext } from '../src/tui/state/app-context.ts';
import {
  type Detail,
  type DetailView,
  initialState,
  type ListView,
  type State,
  topView,
} from '../src/tui/state/state.ts';
import { itemsOf, now } from './start-test-tui.tsx';

/** A state with shorthands for what happens next; each gives the state after it. */
export interface TestDriver {
  begin(size?: Partial<State['size']>): State;
  apply(state: State, action: Action): State;
  press(state: State, ...keys: string[]): State;
  /** Types a command and submits it. */
  command(state: State, words: string): State;
  /** The rows of the list on top arrive. */
  rows(state: State, rows: readonly Row[], page?: { offset?: number; total?: number }): State;
  /** The content of the home view or item on top arrives. */
  sheet(state: State, detail: Partial<Detail>, row?: Row, title?: string): State;
}

export function testDriver(context: AppContext): TestDriver {
  const reduce = createReducer(context);
  const press = (state: State, ...keys: string[]) => reduce(state, { type: 'keys', keys });
  return {
    begin: (size = {}) => initialState('Home', { columns: 80, rows: 24, ...size }, now),
    apply: reduce,
    press,
    command: (state, words) =>
      press(state, ':', ...[...words].map((one) => (one === ' ' ? 'space' : one)), 'enter'),
    rows(state, rows, { offset = 0, total = offset + rows.length } = {}) {
      const view = listOf(state);
      const items = itemsOf(view.resource, rows);
      return reduce(state, {
        type: 'rows',
        target: view.target,
        rows: { items, offset, total, names: new Map() },
        at: now,
      });
    },
    sheet: (state, detail, row, title = 'Title') =>
      reduce(state, {
        type: 'sheet',
        target: topView(state).target,
        title,
        detail: { lines: [], tables: [], ...detail },
        ...(row ? { row } : {}),
        at: now,
      }),
  };
}

export function listOf(state: State): ListView {
  const view = topView(state);
  if (view.kind !== 'list') throw new Error('no list is shown');
  return view;
}

export function sheetOf(state: State): DetailView {
  const view = topView(state);
  if (view.kind !== 'sheet') throw new Error('no sheet is shown');
  return view;
}

/** Scopes with these names, which are also their ids. */
export function scopeRows(...names: readonly string[]): Row[] {
  return names.map((displayName) => ({ scopeId: displayName, displayName, status: 'normal' }));
}
