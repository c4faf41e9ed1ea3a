// State of an editor's rows, which can be added, removed and moved and have stable keys.
import { useReducer } from 'react';

export interface KeyedRow<T> {
  /** Stable while the row moves. */
  key: number;
  value: T;
}

export type RowsChange<T> =
  | { kind: 'add'; value: T }
  | { kind: 'insert'; index: number; values: T[] }
  | { kind: 'set'; index: number; value: T }
  | { kind: 'remove'; index: number }
  | { kind: 'move'; from: number; to: number };

interface RowsState<T> {
  nextKey: number;
  rows: KeyedRow<T>[];
}

function initRows<T>(values: readonly T[]): RowsState<T> {
  return { nextKey: values.length, rows: values.map((value, key) => ({ key, value })) };
}

/** Pure: returns the rows after a change; a change out of range is ignored. */
function rowsReducer<T>(state: RowsState<T>, change: RowsChange<T>): RowsState<T> {
  const { nextKey, rows } = state;
  switch (change.kind) {
    case 'add':
      return { nextKey: nextKey + 1, rows: [...rows, { key: nextKey, value: change.value }] };
    case 'insert': {
      const added = change.values.map((value, index) => ({ key: nextKey + index, value }));
      return { nextKey: nextKey + added.length, rows: rows.toSpliced(change.index, 0, ...added) };
    }
    case 'set':
      if (!rows[change.index]) return state;
      return {
        nextKey,
        rows: rows.with(change.index, { key: rows[change.index]!.key, value: change.value }),
      };
    case 'remove':
      return { nextKey, rows: rows.filter((_row, index) => index !== change.index) };
    case 'move': {
      const row = rows[change.from];
      if (!row || change.to < 0 || change.to >= rows.length) return state;
      return { nextKey, rows: rows.toSpliced(change.from, 1).toSpliced(change.to, 0, row) };
    }
  }
}

/** Row state of a component. */
export function useRows<T>(values: readonly T[]): [KeyedRow<T>[], (change: RowsChange<T>) => void] {
  const [state, change] = useReducer(rowsReducer<T>, values, initRows<T>);
  return [state.rows, change];
}
