// Order of the rows and choice of the columns of a table that is sorted in the browser.
export interface LocalSort {
  column: string;
  isDescending: boolean;
}

interface SortColumn<Row> {
  name: string;
  value(row: Row): string | number | null | undefined;
}

/** A column is sorted ascending, then descending, then not at all. */
export function nextSort(sort: LocalSort | undefined, column: string): LocalSort | undefined {
  if (sort?.column !== column) return { column, isDescending: false };
  return sort.isDescending ? undefined : { column, isDescending: true };
}

/** Columns of which at least one row has a value. */
export function shownColumns<Row, C extends SortColumn<Row>>(
  columns: readonly C[],
  rows: readonly Row[],
): C[] {
  return columns.filter(({ value }) => rows.some((row) => !isUnknown(value(row))));
}

/** Digits in texts are compared as numbers, so that addresses and interfaces are in order; unknown values last. */
export function sortRows<Row>(
  columns: readonly SortColumn<Row>[],
  rows: readonly Row[],
  sort: LocalSort | undefined,
): Row[] {
  const column = columns.find(({ name }) => name === sort?.column);
  if (!column) return [...rows];
  const collator = new Intl.Collator('en', { numeric: true });
  return [...rows].sort((left, right) => {
    const [a, b] = [column.value(left), column.value(right)];
    if (isUnknown(a) || isUnknown(b)) return Number(isUnknown(a)) - Number(isUnknown(b));
    const order =
      typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
    return sort?.isDescending ? -order : order;
  });
}

function isUnknown(value: unknown): value is null | undefined | '' {
  return value === null || value === undefined || value === '';
}
