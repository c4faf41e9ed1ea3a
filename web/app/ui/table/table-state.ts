// What a table shows, in the address: `page`, `size`, `sort=field,-field` and `columns=a,b`. Pure reading and writing.

export interface SortKey {
  field: string;
  descending: boolean;
}

export interface TableState {
  /** Counts from 1. */
  page: number;
  size: number;
  /** First key first. */
  sort: SortKey[];
  /** Names of the visible columns, in order. */
  columns: string[];
}

/** Choices that a person made for a table earlier on this machine. */
export interface StoredTablePreferences {
  size?: number;
  columns?: string[];
  dense?: boolean;
}

export interface TableDefaults {
  /** Sort list as in an address; none when absent. */
  sort?: string;
  columns: string[];
  /** Every column there is; the default ones when absent. */
  known?: string[];
  /** Fields that can be sorted by; any when absent. */
  sortable?: string[];
}

export const pageSizes = [5, 10, 25, 50, 100, 500] as const;
export const defaultPageSize = 10;
const maxPage = 1_000_000;
const maxSortKeys = 8;

/** Reads a table's state (`columns` may be repeated, as a plain form sends it); the address wins over stored choices, those over the defaults. Unknown names and numbers are dropped. */
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

/** The address parameters of a state: the given ones with the table's own replaced. First page goes unsaid. */
export function writeTableState(state: Partial<TableState>, params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  if (state.page !== undefined) {
    if (state.page > 1) next.set('page', String(state.page));
    else next.delete('page');
  }
  if (state.size !== undefined) next.set('size', String(state.size));
  if (state.sort) {
    if (state.sort.length > 0) next.set('sort', formatSort(state.sort));
    else next.delete('sort');
  }
  if (state.columns) next.set('columns', state.columns.join(','));
  return next;
}

/** `field,-field` to keys; a field counts once, the first time. */
export function parseSort(text: string): SortKey[] {
  const keys = new Map<string, SortKey>();
  for (const part of text.split(',')) {
    const descending = part.startsWith('-');
    const field = descending ? part.slice(1) : part;
    if (field && !keys.has(field)) keys.set(field, { field, descending });
  }
  return [...keys.values()];
}

export function formatSort(sort: readonly SortKey[]): string {
  return sort.map((key) => (key.descending ? '-' : '') + key.field).join(',');
}

/** Sort by one field only; the direction turns when it already is the only one. */
export function sortBySingle(sort: readonly SortKey[], field: string): SortKey[] {
  const current = sort.find((key) => key.field === field);
  return [
    {
      field,
      descending: sort.length === 1 && current ? !current.descending : (current?.descending ?? false),
    },
  ];
}

/** Add a field as the last key; ascending, then descending, then out again. */
export function sortByAdditional(sort: readonly SortKey[], field: string): SortKey[] {
  const current = sort.find((key) => key.field === field);
  if (!current) return [...sort, { field, descending: false }];
  if (current.descending) return sort.filter((key) => key !== current);
  return sort.map((key) => (key === current ? { field, descending: true } : key));
}

const storageKey = (id: string) => `table:${id}`;

/** Stored choices of one table; undefined where there are none or the storage is closed. */
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

/** Keeps choices of one table; a closed or full storage is no error. */
export function writeStoredTable(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  id: string,
  choices: StoredTablePreferences,
): void {
  try {
    storage.setItem(storageKey(id), JSON.stringify({ ...readStoredTable(storage, id), ...choices }));
  } catch {
    // The choice then lives in the address only.
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
