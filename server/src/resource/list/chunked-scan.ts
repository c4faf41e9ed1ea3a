// Scans rows in list order in growing chunks for filters without an index, yielding the connection between
// chunks.
import type { Database } from '../../db/database.ts';
import { Sql } from './sql.ts';

/** Rows of the first and the largest chunk, small enough not to delay other callers noticeably. */
const defaultChunks = { first: 2000, longest: 10_000 };

export interface ChunkedScan {
  /** SQL expressions of the sort time and of the id that follows it. */
  at: string;
  id: string;
  descending: boolean;
  /** `from … where …` of the rows to scan, with all conditions that an index supports. */
  fromClause(sql: Sql): string;
  /** The condition that no index supports. */
  filterClause(sql: Sql): string;
}

/** Which of the matching rows are needed. */
export interface ScannedPage {
  offset: number;
  limit: number;
  /** Number of matching rows at which the scan stops. */
  max: number;
}

/** The ids of a page in list order, and how many rows match, at most `max`. */
export async function scanInChunks(
  database: Pick<Database, 'query'>,
  scan: ChunkedScan,
  { offset, limit, max }: ScannedPage,
  sizes: typeof defaultChunks = defaultChunks,
): Promise<{ ids: string[]; count: number }> {
  const ids: string[] = [];
  let count = 0;
  const pick = () => {
    const skipped = Math.max(offset - count, 0);
    const wanted = Math.max(Math.min(offset + limit, max) - count - skipped, 0);
    return `order by position offset ${skipped} limit ${wanted}`;
  };
  for await (const chunk of readChunks(database, scan, pick, sizes)) {
    ids.push(...chunk.ids);
    count = Math.min(count + chunk.count, max);
    if (count >= max) break;
  }
  return { ids, count };
}

/** Another order than that of the scan: expressions, and the order of their names. */
export interface ChosenOrder {
  keys: Record<string, string>;
  orderBy: string;
  /** The first `max` of these ids in that order. */
  first(ids: readonly string[], max: number): Promise<string[]>;
}

/** Like `scanInChunks`, but in another order, for which all rows are read. */
export async function scanForOrder(
  database: Pick<Database, 'query'>,
  scan: ChunkedScan,
  order: ChosenOrder,
  { offset, limit, max }: ScannedPage,
  sizes: typeof defaultChunks = defaultChunks,
): Promise<{ ids: string[]; count: number }> {
  const end = offset + limit;
  let best: string[] = [];
  let count = 0;
  const pick = () => `order by ${order.orderBy} limit ${end}`;
  for await (const chunk of readChunks(database, scan, pick, sizes, order.keys)) {
    if (chunk.ids.length > 0) best = await order.first([...best, ...chunk.ids], end);
    count += chunk.count;
  }
  return { ids: best.slice(offset), count: Math.min(count, max) };
}

/** Yields how many rows of each chunk match, and the ids of those that `pick` selects among them. */
async function* readChunks(
  database: Pick<Database, 'query'>,
  { at, id, descending, fromClause, filterClause }: ChunkedScan,
  pick: () => string,
  { first, longest }: typeof defaultChunks,
  keys: Record<string, string> = {},
): AsyncGenerator<{ ids: string[]; count: number }> {
  const order = descending ? 'desc' : 'asc';
  const ordered = `order by ${at} ${order}, ${id} ${order}`;
  const beyond = descending ? '<' : '>';
  const named = Object.entries(keys).map(([name, expression]) => `, ${expression} as ${name}`);
  let last: { at: string; id: string } | undefined;
  for (let chunk = first; ; chunk = Math.min(chunk * 2, longest)) {
    const sql = new Sql();
    const after = last
      ? ` and (${at}, ${id}) ${beyond} (${sql.value(last.at, 'timestamptz')}, ${sql.value(last.id, 'uuid')})`
      : '';
    const { rows } = await database.query<{
      count: number;
      ids: string[];
      at: string | null;
      id: string | null;
    }>(
      `with w as materialized (
         select ${at} as at, ${id} as id, ${filterClause(sql)} as kept, row_number() over (${ordered}) as position${named.join('')}
         from ${fromClause(sql)}${after} ${ordered} limit ${chunk}
       )
       select (select count(*)::int from w where kept) as count,
         array(select id from w where kept ${pick()}) as ids, e.at, e.id
       from (select 1) one left join w e on e.position = ${chunk}`,
      sql.values,
    );
    const [read] = rows;
    yield { ids: read!.ids, count: read!.count };
    if (read!.at === null) return;
    last = { at: read!.at, id: read!.id! };
  }
}
