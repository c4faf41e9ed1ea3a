import { printSort, type SortKey } from '@yagura/core/query/sort';
import { describe, expect, it } from 'vitest';
import {
  parseSort,
  readStoredTable,
  readTableState,
  sortByAdditional,
  sortBySingle,
  writeStoredTable,
  writeTableState,
} from './table-state.ts';

const defaults = { sort: '-createdAt', columns: ['name', 'createdAt'], known: ['name', 'createdAt', 'size'] };
const read = (query: string, stored?: Parameters<typeof readTableState>[1]) =>
  readTableState(new URLSearchParams(query), stored, defaults);

describe('readTableState', () => {
  it.each([
    [
      '',
      { page: 1, size: 10, sort: [{ field: 'createdAt', descending: true }], columns: ['name', 'createdAt'] },
    ],
    ['page=3&size=100', { page: 3, size: 100 }],
    ['page=0', { page: 1 }],
    ['page=-2', { page: 1 }],
    ['page=1.5', { page: 1 }],
    ['page=99999999999', { page: 1_000_000 }],
    ['size=7', { size: 10 }],
    ['size=1e2', { size: 10 }],
    ['columns=size,name', { columns: ['size', 'name'] }],
    ['columns=size&columns=name', { columns: ['size', 'name'] }],
    ['columns=size,size', { columns: ['size'] }],
    ['columns=nonsense', { columns: ['name', 'createdAt'] }],
    [
      'sort=name,-size',
      {
        sort: [
          { field: 'name', descending: false },
          { field: 'size', descending: true },
        ],
      },
    ],
    ['sort=', { sort: [] }],
  ])('reads %j', (query, expected) => {
    expect(read(query)).toMatchObject(expected);
  });

  it('takes stored choices where the address says nothing', () => {
    const stored = { size: 50, columns: ['size'] };
    expect(read('', stored)).toMatchObject({ size: 50, columns: ['size'] });
    expect(read('size=25&columns=name', stored)).toMatchObject({ size: 25, columns: ['name'] });
    expect(read('', { size: 51, columns: ['gone'] })).toMatchObject({ size: 10, columns: defaults.columns });
  });

  it('drops fields that cannot be sorted by', () => {
    const state = readTableState(new URLSearchParams('sort=secret,name'), undefined, {
      ...defaults,
      sortable: ['name'],
    });
    expect(state.sort).toEqual([{ field: 'name', descending: false }]);
  });
});

describe('writeTableState', () => {
  it('replaces its own parameters and keeps the others', () => {
    const params = new URLSearchParams('search=disk&page=4&sort=name');
    const next = writeTableState({ page: 1, size: 25, sort: parseSort('-size'), columns: ['name'] }, params);
    expect(Object.fromEntries(next)).toEqual({ search: 'disk', size: '25', sort: '-size', columns: 'name' });
    expect(params.get('page')).toBe('4');
  });

  it('reads back what it wrote', () => {
    const state = { page: 7, size: 500, sort: parseSort('name,-size'), columns: ['size', 'name'] };
    expect(readTableState(writeTableState(state, new URLSearchParams()), undefined, defaults)).toEqual(state);
  });
});

describe('sort keys', () => {
  const sort = (text: string): SortKey[] => parseSort(text);

  it.each([
    ['', 'a', 'a'],
    ['a', 'a', '-a'],
    ['-a', 'a', 'a'],
    ['b', 'a', 'a'],
    ['b,-a', 'a', '-a'],
  ])('a click: %j on %s gives %j', (before, field, after) => {
    expect(printSort(sortBySingle(sort(before), field))).toBe(after);
  });

  it.each([
    ['', 'a', 'a'],
    ['b', 'a', 'b,a'],
    ['b,a', 'a', 'b,-a'],
    ['b,-a', 'a', 'b'],
    ['a,b', 'a', '-a,b'],
  ])('a click with shift: %j on %s gives %j', (before, field, after) => {
    expect(printSort(sortByAdditional(sort(before), field))).toBe(after);
  });

  it('counts a field once', () => {
    expect(printSort(sort('a,-a,,b,-'))).toBe('a,b');
  });
});

describe('stored choices', () => {
  it('keeps size and columns apart', () => {
    const storage = memory();
    writeStoredTable(storage, 'rules', { size: 25 });
    writeStoredTable(storage, 'rules', { columns: ['name'] });
    expect(readStoredTable(storage, 'rules')).toEqual({ size: 25, columns: ['name'] });
    expect(readStoredTable(storage, 'scopes')).toBeUndefined();
  });

  it.each(['{', '1', '[]', '{"size":"x","columns":[1]}'])('survives %s', (text) => {
    const found = readStoredTable({ getItem: () => text }, 'rules');
    expect(found?.size).toBeUndefined();
    expect(found?.columns).toBeUndefined();
  });

  it('survives a closed storage', () => {
    const closed = {
      getItem: () => {
        throw new Error('closed');
      },
      setItem: () => {
        throw new Error('closed');
      },
    };
    expect(() => writeStoredTable(closed, 'rules', { size: 5 })).not.toThrow();
  });
});

function memory() {
  const current = new Map<string, string>();
  return {
    getItem: (key: string) => current.get(key) ?? null,
    setItem: (key: string, value: string) => void current.set(key, value),
  };
}
