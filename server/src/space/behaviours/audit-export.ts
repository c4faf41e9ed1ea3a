// Reads the selected records of the audit log for an export: all of them, as of its beginning, a batch at a time.

import { chunksOf } from '@yagura/core/http/chunks';
import { auditRecord } from '@yagura/core/space/audit-record';
import { bindPlaceholders } from '../../resource/item-store.ts';
import { conditionsOf, type ListRequest, orderOf } from '../../resource/list/list-query.ts';
import { Sql } from '../../resource/list/sql.ts';
import type { Table } from '../../resource/list/table.ts';
import type { RequestContext } from '../../resource/request-context.ts';

type Row = Record<string, unknown>;
type Context = Pick<RequestContext, 'services' | 'spaceId' | 'params'>;

const batchSize = 1_000;

/**
 * Batches of records in the order of the request, whose limit and offset are not used. Records that are written
 * meanwhile are left out, and move no others.
 */
export async function* readSelectedRecords(
  context: Context,
  table: Table,
  request: ListRequest,
): AsyncGenerator<Row[]> {
  const { database } = context.services;
  const { rows } = await database.query<{ number: string }>(
    'select coalesce(max(number), 0)::text as number from audit_record where space_id = $1',
    [context.spaceId],
  );
  const last = rows[0]!.number;
  const [key] = request.sort;
  // Numbers are unique, so that further keys have no effect.
  if (key?.field === 'number') yield* readByNumber(context, table, request, last, key.descending);
  else yield* readInOrder(context, table, request, last);
}

/** Reads on behind the last number of each batch. */
async function* readByNumber(
  context: Context,
  table: Table,
  request: ListRequest,
  last: string,
  descending: boolean,
): AsyncGenerator<Row[]> {
  for (let reached: string | undefined; ; ) {
    const sql = new Sql();
    const conditions = selection(context, table, request, last, sql);
    if (reached !== undefined)
      conditions.push(`a.number ${descending ? '<' : '>'} ${sql.value(reached, 'bigint')}`);
    const { rows } = await context.services.database.query<Row>(
      `select ${table.select} from ${table.from} where ${conditions.join(' and ')}
       order by a.number ${descending ? 'desc' : 'asc'} limit ${batchSize}`,
      sql.values,
    );
    if (rows.length > 0) yield rows.map(table.item);
    if (rows.length < batchSize) return;
    reached = String(rows.at(-1)!.number);
  }
}

/** Reads the numbers of all records in another order first, so that they are sorted only once. */
async function* readInOrder(
  context: Context,
  table: Table,
  request: ListRequest,
  last: string,
): AsyncGenerator<Row[]> {
  const { database } = context.services;
  const sql = new Sql();
  const conditions = selection(context, table, request, last, sql);
  const { rows } = await database.query<{ number: string }>(
    `select a.number::text as number from ${table.from} where ${conditions.join(' and ')}
     order by ${orderOf(auditRecord, table, request.sort)}`,
    sql.values,
  );
  for (const numbers of chunksOf(
    rows.map(({ number }) => number),
    batchSize,
  )) {
    const batch = new Sql();
    const own = bindPlaceholders(table.where, context, auditRecord, batch);
    const found = await database.query<Row>(
      `select ${table.select} from ${table.from} where ${own} and a.number = any(${batch.value(numbers, 'bigint[]')})`,
      batch.values,
    );
    const byNumber = new Map(found.rows.map((row) => [String(row.number), table.item(row)]));
    // Those past the retention may have been deleted meanwhile.
    yield numbers.map((number) => byNumber.get(number)).filter((row) => row !== undefined);
  }
}

function selection(context: Context, table: Table, request: ListRequest, last: string, sql: Sql): string[] {
  return [
    bindPlaceholders(table.where, context, auditRecord, sql),
    ...conditionsOf(auditRecord, table, request, sql),
    `a.number <= ${sql.value(last, 'bigint')}`,
  ];
}
