// Lists that need many rows, read in chunks: one statement would hold the only session of the embedded engine for seconds.

import type { Filter } from '@yagura/core/query/filter';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import type { Database } from '../../db/database.ts';
import { type ChosenOrder, type ChunkedScan, scanForOrder, scanInChunks } from './chunked-scan.ts';
import { filterSql, indexedConditionsOf, type ListRequest, orderOf } from './list-query.ts';
import { Sql } from './sql.ts';
import { type OrderedScan, oneOf, type SearchMatch, type Table } from './table.ts';

/** Maximum rows counted for a list by one statement. */
export const maxCounted = 10_000;

interface Options {
  resource: AnyResource;
  table: Table;
  request: ListRequest;
  database: Database;
  /** `order by` expressions of the request. */
  order: string;
  from(sql: Sql): string;
  /** Conditions of the rows that the caller may see. */
  own(sql: Sql): string[];
  found: SearchMatch | undefined;
  /** Parts of the filter that no index supports. */
  unindexed: readonly Filter[];
  /** Undefined if the list is not in order of time. */
  orderedScan: Pick<OrderedScan, 'descending'> | undefined;
  /** Number of matching rows at which counting stops; undefined to count all. */
  max: number | undefined;
}

export interface ChunkedList {
  /** The ids of the page in the order of the request, and how many rows match; undefined if few rows are read anyway. */
  readPage(): Promise<{ ids: string[]; count: number } | undefined>;
  countAll(): Promise<number>;
}

/** Undefined for resources without a time by which they can be read. */
export function createChunkedList(options: Options): ChunkedList | undefined {
  const { resource, table, request, database, from, own, found, unindexed, orderedScan, max } = options;
  const { time } = resource;
  if (!time || table.id.type !== 'uuid') return undefined;
  const scan: ChunkedScan = {
    at: table.columns[time]!.sql,
    id: table.id.sql,
    descending: orderedScan?.descending ?? true,
    fromClause: (sql) =>
      `${from(sql)} where ${[...own(sql), ...indexedConditionsOf(resource, table, request, sql)].join(' and ')}`,
    filterClause: (sql) =>
      [
        ...unindexed.map((part) => filterSql(part, table, sql)),
        ...(found ? [found.condition(sql)] : []),
      ].join(' and ') || 'true',
  };
  const scanPage = (page: { offset: number; limit: number }) =>
    scanInChunks(database, scan, { ...page, max: max ?? Number.MAX_SAFE_INTEGER });

  return {
    async readPage() {
      const { limit, offset } = request;
      const readsMany = found ? found.isCommon : unindexed.length > 0 || offset >= maxCounted;
      if (orderedScan) return readsMany ? scanPage(request) : undefined;
      // Only tables that grow without bound have a maximum; all of their rows are read to sort them.
      const isSortedByIndex = [resource.id, time].includes(request.sort[0]?.field ?? '');
      const readsAll = !isSortedByIndex && (!found || found.isCommon) && offset + limit <= maxCounted;
      if (max === undefined || !readsAll) return undefined;
      return scanForOrder(database, scan, chosenOrder(options), { limit, offset, max });
    },
    countAll: async () => (await scanPage({ offset: 0, limit: 0 })).count,
  };
}

/** The order of the request as one for `scanForOrder`: its expressions under names, and the order of these names. */
function chosenOrder({ resource, table, request, database, order, from, own }: Options): ChosenOrder {
  const named = request.sort.map(({ field }, index) => ({
    field,
    name: `key${index}`,
    column: table.columns[field]!,
  }));
  const columns = named.map(({ field, name, column }) => [field, { ...column, sql: name, order: undefined }]);
  return {
    keys: Object.fromEntries(named.map(({ name, column }) => [name, column.order ?? column.sql])),
    orderBy: orderOf(
      resource,
      { ...table, id: { ...table.id, sql: 'id' }, columns: Object.fromEntries(columns) },
      request.sort,
    ),
    async first(ids, max) {
      const sql = new Sql();
      const among = [...own(sql), oneOf(table.id.sql, ids)(sql)].join(' and ');
      const { rows } = await database.query<{ ids: string[] }>(
        `select array(select ${table.id.sql} from ${from(sql)} where ${among} order by ${order} limit ${max}) as ids`,
        sql.values,
      );
      return rows[0]!.ids;
    },
  };
}
