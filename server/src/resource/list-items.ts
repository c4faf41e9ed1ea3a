// Reads a page of a list of any resource: which rows a request selects, their order and how many there are.

import type { Page } from '@yagura/core/http/page';
import { printSort } from '@yagura/core/query/sort';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { bindPlaceholders, openRow, type RowFilter } from './item-store.ts';
import { createChunkedList, maxCounted } from './list/chunked-list.ts';
import { conditionsOf, type ListRequest, needsTextScan, orderOf, unindexedParts } from './list/list-query.ts';
import { preparedStatement, Sql } from './list/sql.ts';
import { minReported, type OrderedScan, oneOf, type SearchMatch, type Table } from './list/table.ts';
import type { RequestContext } from './request-context.ts';

/** Maximum rows of a searched resource counted for a list when each must be read to be counted. */
const maxReadToCount = 1000;
/** Rows before a page from which on its ids are selected first. */
const manySkipped = 500;

/**
 * Reads a page of a list. `isConstantTable` says that the texts of the table and the row filter depend on the
 * resource alone, so that connections may keep the statements prepared. `countsAll` is false for a caller who does not
 * need to know how many there are beyond the page.
 */
export async function listItems(
  context: Pick<RequestContext, 'services' | 'spaceId' | 'params'>,
  resource: AnyResource,
  table: Table,
  request: ListRequest,
  rowFilter?: RowFilter,
  { isConstantTable = false, countsAll = true } = {},
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
  const bound = resource.searchable && countsAll ? countBound(request, found) : 0;
  const max = resource.searchable || !countsAll ? Math.max(bound, offset + limit) + 1 : undefined;
  const chunks = createChunkedList({
    ...{ resource, table, request, database, order, from, own },
    // Another order is read in chunks only where a search or a filter may need all rows.
    ...{ found, unindexed, orderedScan, max: resource.searchable || orderedScan ? max : undefined },
  });
  const scanned = await chunks?.readPage();
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
  const countLimit = max ?? (chunks && orderedScan && maxCounted + 1);
  const matching = `${build(counting, '1')} ${countLimit ? `limit ${counting.value(countLimit)}` : ''}`;
  // Callers choose filters, searches and orders, so that there is no end of texts with them.
  const isCommon = !request.filter && !request.search && printSort(request.sort) === resource.defaultSort;
  const toStatement = isConstantTable && isCommon ? preparedStatement : (statement: string) => statement;
  const [rows, counted] = await Promise.all([
    database.query(toStatement(text), page.values),
    found?.minCount ??
      scanned?.count ??
      database
        .query<{ total: number }>(
          toStatement(`select count(*)::int as total from (${matching}) counted`),
          counting.values,
        )
        .then((totals) => totals.rows[0]!.total),
  ]);
  const isCutShort = max === undefined && chunks && !scanned && counted === countLimit;
  const total = isCutShort ? await chunks.countAll() : counted;
  return {
    items: rows.rows.map((row) => table.item(openRow(context, resource, row))),
    total,
    ...(found?.minCount !== undefined || total === max ? { totalIsLeast: true as const } : {}),
    ...(incompleteSince ? { incompleteSince } : {}),
    limit,
    offset,
  };
}

/** Matches that are counted at most, unless the page needs more. */
function countBound({ filter }: ListRequest, found: SearchMatch | undefined): number {
  if (found?.isCommon) return minReported;
  return filter && needsTextScan(filter) ? maxReadToCount : maxCounted;
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
