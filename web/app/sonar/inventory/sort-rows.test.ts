import { describe, expect, it } from 'vitest';
import { nextSort, shownColumns, sortRows } from './sort-rows.ts';

type Row = { addr?: string; metric?: number | null };
const columns = [
  { name: 'addr', value: (row: Row) => row.addr },
  { name: 'metric', value: (row: Row) => row.metric },
];
const rows: Row[] = [{ addr: '10.0.0.10' }, { addr: '10.0.0.9' }, {}, { addr: '' }, { addr: '10.0.0.100' }];

describe('the rows of a table on the page', () => {
  it('keep their order until a column is chosen', () =>
    expect(sortRows(columns, rows, undefined)).toEqual(rows));

  it('are in the order of the numbers in addresses, with unknown values last in both directions', () => {
    const sorted = (isDescending: boolean) =>
      sortRows(columns, rows, { column: 'addr', isDescending }).map(({ addr }) => addr);
    expect(sorted(false)).toEqual(['10.0.0.9', '10.0.0.10', '10.0.0.100', undefined, '']);
    expect(sorted(true)).toEqual(['10.0.0.100', '10.0.0.10', '10.0.0.9', undefined, '']);
  });

  it('are sorted by numbers', () =>
    expect(
      sortRows(columns, [{ metric: 20 }, { metric: 3 }, { metric: 0 }], {
        column: 'metric',
        isDescending: false,
      }),
    ).toEqual([{ metric: 0 }, { metric: 3 }, { metric: 20 }]));
});

it('a column that no row has is left out', () => {
  expect(shownColumns(columns, rows).map(({ name }) => name)).toEqual(['addr']);
  expect(shownColumns(columns, [{ metric: 0 }]).map(({ name }) => name)).toEqual(['metric']);
});

it('a column is sorted up, down, and then as before', () => {
  const up = nextSort(undefined, 'a');
  const down = nextSort(up, 'a');
  expect([up, down, nextSort(down, 'a'), nextSort(down, 'b')]).toEqual([
    { column: 'a', isDescending: false },
    { column: 'a', isDescending: true },
    undefined,
    { column: 'b', isDescending: false },
  ]);
});
