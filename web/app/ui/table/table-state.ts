// Table state in the URL: `page`, `size`, `sort=field,-field` and `columns=a,b`. Pure functions to read and
// write it.
import { printSort, type SortKey } from '@yagura/core/query/sort';

export interface TableState {
  /** One-based. */
  page: number;
  size: number;
  /** Primary key first. */
  sort: SortKey[];
  /** Names of the visible columns in order. */
  columns: string[];
}

/** The user's stored preferences of a table in this browser. */
export interface StoredTablePreferences {
  size?: number;
  columns?: string[];
  dense?: boolean;
}

export interface TableDefaults {
  /** Default sort in URL format; unsorted if absent. */
  sort?: string;
  columns: string[];
  /** All columns; the default ones if absent. */
  known?: string[];
  /** Sortable fields; all if absent. */
  sortable?: string[];
}

export const pageSizes = [5, 10, 25, 50, 100, 500] as const;
export const defaultPageSize = 10;
const maxPage = 1_000_000;
const maxSortKeys = 8;

/**
 * Reads a table's state (`columns` may be repeated, as plain forms send it); the URL overrides stored
 * preferences, which override the defaults. Unknown names and invalid numbers are ignored.
 */
export function readTableState(
  params: URLSearchParams,
  stored: StoredTablePreferences | undefined,
  defaults: TableDefaults,
): TableState {
  const known = defaults.known ?? defaults.columns;
  const requestedColumns = knownColumnsOnly(
    params.getAll('columns').flatMap((part) => part.split(',')),
    known,
  );
  const storedColumns = knownColumnsOnly(stored?.columns, known);
  const sort = parseSort(params.get('sort') ?? defaults.sort ?? '').filter(
    (key) => !defaults.sortable || defaults.sortable.includes(key.field),
  );
  return {
    page: parsePage(params.get('page')),
    size: parsePageSize(params.get('size')) ?? parsePageSize(String(stored?.size)) ?? defaultPageSize,
    sort: sort.slice(0, maxSortKeys),
    columns: requestedColumns ?? storedColumns ?? defaults.columns,
  };
}

/** Returns the URL parameters with the table's own replaced. The first page is omitted. */
export function writeTableState(state: Partial<TableState>, params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  if (state.page !== undefined) {
    if (state.page > 1) next.set('page', String(state.page));
    else next.delete('page');
  }
  if (state.size !== undefined) next.set('size', String(state.size));
  if (state.sort) {
    if (state.sort.length > 0) next.set('sort', printSort(state.sort));
    else next.delete('sort');
  }
  if (state.columns) next.set('columns', state.columns.join(','));
  return next;
}

/** Parses `field,-field` to sort keys; of a duplicate field the first wins. */
export function parseSort(text: string): SortKey[] {
  const keys = new Map<string, SortKey>();
  for (const part of text.split(',')) {
    const descending = part.startsWith('-');
    const field = descending ? part.slice(1) : part;
    if (field && !keys.has(field)) keys.set(field, { field, descending });
  }
  return [...keys.values()];
}

/** Sorts by one field only; reverses the direction if it already is the only one. */
export function sortBySingle(sort: readonly SortKey[], field: string): SortKey[] {
  const current = sort.find((key) => key.field === field);
  return [
    {
      field,
      descending: sort.length === 1 && current ? !current.descending : (current?.descending ?? false),
    },
  ];
}

/** Adds a field as the last sort key; repeated calls cycle through ascending, descending and removed. */
export function sortByAdditional(sort: readonly SortKey[], field: string): SortKey[] {
  const current = sort.find((key) => key.field === field);
  if (!current) return [...sort, { field, descending: false }];
  if (current.descending) return sort.filter((key) => key !== current);
  return sort.map((key) => (key === current ? { field, descending: true } : key));
}

const storageKey = (id: string) => `table:${id}`;

/** Returns the stored preferences of a table; undefined if there are none or the storage is unavailable. */
export function readStoredTable(
  storage: Pick<Storage, 'getItem'>,
  id: string,
): StoredTablePreferences | undefined {
  try {
    const value: unknown = JSON.parse(storage.getItem(storageKey(id)) ?? 'null');
    if (typeof value !== 'object' || value === null) return undefined;
    const { size, columns, dense } = value as Record<string, unknown>;
    return {
      size: typeof size === 'number' ? size : undefined,
      ...(typeof dense === 'boolean' ? { dense } : {}),
      columns:
        Array.isArray(columns) && columns.every((name) => typeof name === 'string') ? columns : undefined,
    };
  } catch {
    return undefined;
  }
}

/** Stores preferences of a table; an unavailable or full storage is ignored. */
export function writeStoredTable(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  id: string,
  choices: StoredTablePreferences,
): void {
  try {
    storage.setItem(storageKey(id), JSON.stringify({ ...readStoredTable(storage, id), ...choices }));
  } catch {
    // The preference is then in the URL only.
  }
}

function parsePage(text: string | null): number {
  const page = Number(text);
  return Number.isInteger(page) && page >= 1 ? Math.min(page, maxPage) : 1;
}

function parsePageSize(text: string | null): number | undefined {
  return pageSizes.find((size) => String(size) === text);
}

function knownColumnsOnly(
  names: readonly string[] | undefined,
  known: readonly string[],
): string[] | undefined {
  const real = [...new Set(names ?? [])].filter((name) => known.includes(name));
  return real.length > 0 ? real : undefined;
}
