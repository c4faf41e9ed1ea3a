// Rows of an editor that grow, shrink and move, each keeping an identity of its own.
import { useReducer } from 'react';

export interface Row<T> {
  /** Stays with the row wherever it moves. */
  key: number;
  value: T;
}

export type RowsChange<T> =
  | { kind: 'add'; value: T }
  | { kind: 'insert'; at: number; values: T[] }
  | { kind: 'set'; at: number; value: T }
  | { kind: 'remove'; at: number }
  | { kind: 'move'; from: number; to: number };

interface State<T> {
  next: number;
  rows: Row<T>[];
}

export function startRows<T>(values: readonly T[]): State<T> {
  return { next: values.length, rows: values.map((value, key) => ({ key, value })) };
}

/** Pure: the rows after a change; a change out of range changes nothing. */
export function changeRows<T>(state: State<T>, change: RowsChange<T>): State<T> {
  const { next, rows } = state;
  switch (change.kind) {
    case 'add':
      return { next: next + 1, rows: [...rows, { key: next, value: change.value }] };
    case 'insert': {
      const added = change.values.map((value, place) => ({ key: next + place, value }));
      return { next: next + added.length, rows: rows.toSpliced(change.at, 0, ...added) };
    }
    case 'set':
      if (!rows[change.at]) return state;
      return { next, rows: rows.with(change.at, { key: rows[change.at]!.key, value: change.value }) };
    case 'remove':
      return { next, rows: rows.filter((_row, at) => at !== change.at) };
    case 'move': {
      const row = rows[change.from];
      if (!row || change.to < 0 || change.to >= rows.length) return state;
      return { next, rows: rows.toSpliced(change.from, 1).toSpliced(change.to, 0, row) };
    }
  }
}

/** Rows in a component. */
export function useRows<T>(values: readonly T[]): [Row<T>[], (change: RowsChange<T>) => void] {
  const [state, change] = useReducer(changeRows<T>, values, startRows<T>);
  return [state.rows, change];
}
