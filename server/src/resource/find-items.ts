// Finds several items of any resource by their ids.
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { bindPlaceholders, openRow, type RowFilter } from './item-store.ts';
import { Sql } from './list/sql.ts';
import { oneOf, type Table } from './list/table.ts';
import type { RequestContext } from './request-context.ts';

/** The items with these ids, of any parent, that are visible to the caller. */
export async function findItems(
  context: Pick<RequestContext, 'services' | 'spaceId' | 'params'>,
  resource: AnyResource,
  table: Table,
  ids: readonly string[],
  rowFilter: RowFilter,
): Promise<Record<string, unknown>[]> {
  if (ids.length === 0) return [];
  const sql = new Sql();
  const where = table.where.replace(/\S+ = \{parent\}/, 'true');
  const conditions = [bindPlaceholders(where, context, resource, sql), oneOf(table.id.sql, ids)(sql)];
  const seen = rowFilter(sql);
  if (seen) conditions.push(`(${seen})`);
  const from = bindPlaceholders(table.from, context, resource, sql);
  const { rows } = await context.services.database.query(
    `select ${table.select} from ${from} where ${conditions.join(' and ')}`,
    sql.values,
  );
  return rows.map((row) => table.item(openRow(context, resource, row)));
}
