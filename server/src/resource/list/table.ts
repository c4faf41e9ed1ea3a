// Maps a resource's fields to SQL for listing, filtering and sorting.
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { itemFields } from '@yagura/core/resource/define-resource';
import { type ColumnType, kindTraits } from '@yagura/core/resource/field-kinds';
import type { Database } from '../../db/database.ts';
import type { Sql } from './sql.ts';

export interface Column {
  sql: string;
  type: ColumnType;
  /** Expression to sort by instead, for texts that have another order than that of their characters. */
  order?: string;
  /** An index finds the rows with a value, as it does for ids. */
  hasIndex?: boolean;
  /** Never null, so that an index in its order can be used. */
  isRequired?: boolean;
}

/** Rows are returned as stored; `item` converts one to the resource's shape. */
export interface Table {
  /**
   * `from` clause with joins; `{space}`, `{parent}` and `{now}` are replaced by the space id, the parent id
   * and the time.
   */
  from: string;
  where: string;
  select: string;
  /** Expression of the item's id, also the last sort key. */
  id: Column;
  columns: Record<string, Column>;
  item(row: Record<string, unknown>): Record<string, unknown>;
  /** Finds items that contain all search terms. */
  search?(db: Database, spaceId: string, text: string, scan: OrderedScan | undefined): Promise<SearchMatch>;
  /** Time since which items cannot be found by a search yet; undefined if there are none. `now` in milliseconds. */
  unindexedSince?(db: Database, spaceId: string, now: number): Promise<string | undefined>;
}

/** Ordered scan through the list, for terms so frequent that scanning is faster than an index lookup. */
export interface OrderedScan {
  /** Number of matches needed: one more than the end of the page. */
  need: number;
  descending: boolean;
  /**
   * Statement that selects `at` and `id` of the first `count` items in list order, without the search
   * condition.
   */
  first(sql: Sql, count: number): string;
}

export interface SearchMatch {
  condition(sql: Sql): string;
  /** Set when at least this many matched and the search stopped there. */
  minCount?: number;
  /** So many match that the items are to be read in list order, a few at a time, until the page is full. */
  isCommon?: boolean;
}

/** Matches of a search that are counted even if the page needs fewer. */
export const minReported = 200;

/** Condition for items found by id; `id` is the SQL expression of their id. */
export function oneOf(id: string, ids: readonly string[]): SearchMatch['condition'] {
  return (sql) => `${id} = any(${sql.value(ids, 'uuid[]')})`;
}

const casts: Record<ColumnType, string> = {
  text: '',
  number: '::numeric',
  boolean: '::boolean',
  date: '::date',
  time: '::timestamptz',
  uuid: '::uuid',
};

/** Table of a resource stored as rows of `resource`: fields are read from the JSON body. */
export function bodyTable(
  resource: AnyResource,
  extra: { join?: string; columns?: Record<string, Column>; select?: string; item?: Table['item'] } = {},
): Table {
  const columns: Record<string, Column> = {};
  for (const [name, field] of Object.entries(itemFields(resource))) {
    const type = kindTraits[field.kind].column;
    columns[name] = { sql: `(r.body->>'${name}')${casts[type]}`, type };
  }
  Object.assign(
    columns,
    dottedColumns(resource, (name) => `r.body->'${name}'`),
  );
  const parentId = resource.parent ? `${toCamelCase(resource.parent)}Id` : undefined;
  Object.assign(
    columns,
    { [resource.id]: { sql: 'r.id', type: 'uuid', isRequired: true } },
    {
      createdAt: { sql: 'r.created_at', type: 'time', isRequired: true },
      updatedAt: { sql: 'r.updated_at', type: 'time', isRequired: true },
    },
    parentId ? { [parentId]: { sql: 'r.parent_id', type: 'uuid' } } : {},
    extra.columns,
  );
  return {
    from: `resource r ${extra.join ?? ''}`,
    where: `r.space_id = {space} and r.kind = '${resource.name}'${parentId ? ' and r.parent_id = {parent}' : ''}`,
    select: `r.id, r.parent_id, r.body, r.version, r.created_at, r.updated_at${extra.select ? `, ${extra.select}` : ''}`,
    id: { sql: 'r.id', type: 'uuid' },
    columns,
    item: (row) => ({
      [resource.id]: row.id,
      ...(parentId ? { [parentId]: row.parent_id } : {}),
      ...(row.body as object),
      ...extra.item?.(row),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }),
  };
}

/** Table with one column per field: camelCase field, snake_case column. */
export function rowTable(
  resource: AnyResource,
  options: {
    from: string;
    alias: string;
    parent?: string;
    id?: Column;
    columns?: Record<string, Column>;
    /** Fields without a column of their own. */
    without?: readonly string[];
    select?: string;
    item?: Table['item'];
  },
): Table {
  const names = Object.keys(itemFields(resource)).filter((name) => !options.without?.includes(name));
  const all = itemFields(resource);
  const columns = Object.fromEntries(
    names.map((name) => [
      name,
      { sql: `${options.alias}.${toSnakeCase(name)}`, type: kindTraits[all[name]!.kind].column } as Column,
    ]),
  );
  Object.assign(
    columns,
    dottedColumns(resource, (name) => `${options.alias}.${toSnakeCase(name)}`),
    options.columns,
  );
  return {
    from: options.from,
    where: `${options.alias}.space_id = {space}${options.parent ? ` and ${options.alias}.${options.parent} = {parent}` : ''}`,
    select: [...names.map((name) => `${options.alias}.${toSnakeCase(name)}`), options.select]
      .filter(Boolean)
      .join(', '),
    id: options.id ?? { sql: `${options.alias}.${toSnakeCase(resource.id)}`, type: 'uuid' },
    columns,
    item: (row) => ({
      ...Object.fromEntries(names.map((name) => [name, row[toSnakeCase(name)] ?? null])),
      ...options.item?.(row),
    }),
  };
}

/** Columns of dotted fields, such as `params.networkId`: texts inside the JSON of their first segment, with an index each. */
function dottedColumns(resource: AnyResource, json: (name: string) => string): Record<string, Column> {
  const dotted = [...resource.filterable, ...resource.sortable].filter((name) => name.includes('.'));
  return Object.fromEntries(
    dotted.map((name): [string, Column] => {
      const [first, ...path] = name.split('.');
      return [name, { sql: `(${json(first!)} #>> '{${path.join(',')}}')`, type: 'text', hasIndex: true }];
    }),
  );
}

export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function toCamelCase(name: string): string {
  return name.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
}
