// Reads a page of a list of any resource: which rows a request selects, their order and how many there are.

import type { Page } from '@yagura/core/http/page';
import { printSort } from '@yagura/core/query/sort';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { bindPlaceholders, openRow, type RowFilter } from './item-store.ts';
import { type ChosenOrder, type ChunkedScan, scanForOrder, scanInChunks } from './list/chunked-scan.ts';
import {
  conditionsOf,
  filterSql,
  indexedConditionsOf,
  type ListRequest,
  needsTextScan,
  orderOf,
  unindexedParts,
} from './list/list-query.ts';
import { preparedStatement, Sql } from './list/sql.ts';
import { type OrderedScan, oneOf, type Table } from './list/table.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Maximum rows of a searched resource counted for a list, and maximum when each must be read to be counted.
 */
const maxCounted = 10_000;
const maxReadToCount = 1000;
/** Matches of common words that are counted even if the page needs fewer. */
const minReported = 200;
/** Rows before a page from which on its ids are selected first. */
const manySkipped = 500;

/**
 * Reads a page of a list. `isConstantTable` says that the texts of the table and the row filter depend on the
 * resource alone, so that connections may keep the statements prepared.
 */
export async function listItems(
  context: Pick<RequestContext, 'services' | 'spaceId' | 'params'>,
  resource: AnyResource,
  table: Table,
  request: ListRequest,
  rowFilter?: RowFilter,
  { isConstantTable = false } = {},
): Promise<Page<Record<string, unknown>>> {
  const { database, clock } = context.services;
  const { limit, offset } = request;
  const order = orderOf(resource, table, request.sort);
  const from = (sql: Sql) => bindPlaceholders(table.from, context, resource, sql);
  const own = (sql: Sql) => {
    const seen = rowFilter?.(sql);
    return [bindPlaceholders(table.where, context, resource, sql), ...(seen ? [`(${seen})`] : [])];
  };
  const conditions = (sql: Sql) => [...own(sql), ...conditionsOf(resource, table, request, sql)];
  const orderedScan = toOrderedScan(resource, table, request, (sql, head, count) => {
    const where = conditions(sql).join(' and ');
    return `select ${head} from ${from(sql)} where ${where} order by ${order} limit ${sql.value(count)}`;
  });
  const unindexed = unindexedParts(resource, table, request);
  const [found, incompleteSince] = request.search
    ? await Promise.all([
        // Reading the first items would take long with such a filter.
        table.search?.(
          database,
          context.spaceId,
          request.search,
          unindexed.length > 0 ? undefined : orderedScan,
        ),
        table.unindexedSince?.(database, context.spaceId, clock.now()),
      ])
    : [];
  const bound = found?.isCommon
    ? minReported
    : request.filter && needsTextScan(request.filter)
      ? maxReadToCount
      : maxCounted;
  const max = resource.searchable ? Math.max(bound, offset + limit) + 1 : undefined;
  const chunkedScan: ChunkedScan | undefined =
    resource.time && table.id.type === 'uuid'
      ? {
          at: table.columns[resource.time]!.sql,
          id: table.id.sql,
          descending: orderedScan?.descending ?? true,
          fromClause: (sql) =>
            `${from(sql)} where ${[...own(sql), ...indexedConditionsOf(resource, table, request, sql)].join(' and ')}`,
          filterClause: (sql) =>
            [
              ...unindexed.map((part) => filterSql(part, table, sql)),
              ...(found ? [found.condition(sql)] : []),
            ].join(' and ') || 'true',
        }
      : undefined;
  const scan = (page: { offset: number; limit: number }) =>
    scanInChunks(database, chunkedScan!, { ...page, max: max ?? Number.MAX_SAFE_INTEGER });
  const chosenOrder = (): ChosenOrder => ({
    ...namedOrder(resource, table, request.sort),
    first: async (ids, most) => {
      const sql = new Sql();
      const among = [...own(sql), oneOf(table.id.sql, ids)(sql)].join(' and ');
      const { rows } = await database.query<{ ids: string[] }>(
        `select array(select ${table.id.sql} from ${from(sql)} where ${among} order by ${order} limit ${most}) as ids`,
        sql.values,
      );
      return rows[0]!.ids;
    },
  });
  // Whatever reads many rows does so in chunks, so that other callers need not wait for it.
  const readsMany = found ? found.isCommon : unindexed.length > 0 || offset >= maxCounted;
  const hasIndex = [resource.id, resource.time].includes(request.sort[0]?.field);
  const readsAll =
    max !== undefined && !hasIndex && (!found || found.isCommon) && offset + limit <= maxCounted;
  let scanned: { ids: string[]; count: number } | undefined;
  if (chunkedScan && orderedScan && readsMany) scanned = await scan(request);
  else if (chunkedScan && readsAll)
    scanned = await scanForOrder(database, chunkedScan, chosenOrder(), { limit, offset, max: max! });
  const build = (sql: Sql, head: string) => {
    const where = scanned
      ? [...own(sql), oneOf(table.id.sql, scanned.ids)(sql)]
      : [...conditions(sql), ...(found ? [found.condition(sql)] : [])];
    return `select ${head} from ${from(sql)} where ${where.join(' and ')}`;
  };
  const page = new Sql();
  const cut = `order by ${order} limit ${page.value(limit)} offset ${page.value(scanned ? 0 : offset)}`;
  // For tables that grow without bound, select the page's ids from indexes first, then read only those rows. Far down in
  // other lists, too: the database would compute the columns of all rows that it skips.
  const text =
    resource.searchable || offset >= manySkipped
      ? `select ${table.select} from ${from(page)} where ${bindPlaceholders(table.where, context, resource, page)}
       and ${table.id.sql} = any(array(${build(page, table.id.sql)} ${cut})) order by ${order}`
      : `${build(page, table.select)} ${cut}`;
  // Limit the count, but always beyond the current page.
  const counting = new Sql();
  const atOnce = max ?? (chunkedScan && orderedScan && maxCounted + 1);
  const counted = `${build(counting, '1')} ${atOnce ? `limit ${counting.value(atOnce)}` : ''}`;
  // Callers choose filters, searches and orders, so that there is no end of texts with them.
  const isCommon = !request.filter && !request.search && printSort(request.sort) === resource.defaultSort;
  const toStatement = isConstantTable && isCommon ? preparedStatement : (statement: string) => statement;
  const [rows, counts] = await Promise.all([
    database.query(toStatement(text), page.values),
    found?.minCount ??
      scanned?.count ??
      database
        .query<{ total: number }>(
          toStatement(`select count(*)::int as total from (${counted}) counted`),
          counting.values,
        )
        .then((totals) => totals.rows[0]!.total),
  ]);
  const isCutShort = max === undefined && chunkedScan && !scanned && counts === atOnce;
  const total = isCutShort ? (await scan({ offset: 0, limit: 0 })).count : counts;
  return {
    items: rows.rows.map((row) => table.item(openRow(context, resource, row))),
    total,
    ...(found?.minCount !== undefined || total === max ? { totalIsLeast: true as const } : {}),
    ...(incompleteSince ? { incompleteSince } : {}),
    limit,
    offset,
  };
}

/** Ordered scan for a list sorted by its indexed time; undefined for any other order. */
function toOrderedScan(
  resource: AnyResource,
  table: Table,
  { sort, limit, offset }: ListRequest,
  build: (sql: Sql, head: string, count: number) => string,
): OrderedScan | undefined {
  const [key] = sort;
  if (sort.length !== 1 || !resource.time || key?.field !== resource.time) return undefined;
  const head = `${table.columns[resource.time]!.sql} as at, ${table.id.sql} as id`;
  return {
    need: offset + limit + 1,
    descending: key.descending,
    first: (sql, count) => build(sql, head, count),
  };
}

/** Expressions of an order under names, and the order of these names. */
function namedOrder(
  resource: AnyResource,
  table: Table,
  sort: ListRequest['sort'],
): Pick<ChosenOrder, 'keys' | 'orderBy'> {
  const named = sort.map(({ field }, index) => ({
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
      sort,
    ),
  };
}
