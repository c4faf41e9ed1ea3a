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

/** Ids of the first `most` rows that match the filter, in list order. */
export async function scanInChunks(
  database: Pick<Database, 'query'>,
  { at, id, descending, fromClause, filterClause }: ChunkedScan,
  max: number,
  { first, longest }: typeof defaultChunks = defaultChunks,
): Promise<string[]> {
  const ids: string[] = [];
  const order = descending ? 'desc' : 'asc';
  const ordered = `order by ${at} ${order}, ${id} ${order}`;
  const beyond = descending ? '<' : '>';
  let last: { at: string; id: string } | undefined;
  for (let chunk = first; ; chunk = Math.min(chunk * 2, longest)) {
    const sql = new Sql();
    const after = last
      ? ` and (${at}, ${id}) ${beyond} (${sql.value(last.at, 'timestamptz')}, ${sql.value(last.id, 'uuid')})`
      : '';
    const { rows } = await database.query<{ ids: string[]; at: string | null; id: string | null }>(
      `with w as materialized (
         select ${at} as at, ${id} as id, ${filterClause(sql)} as kept, row_number() over (${ordered}) as position
         from ${fromClause(sql)}${after} ${ordered} limit ${chunk}
       )
       select array(select id from w where kept order by position limit ${max - ids.length}) as ids, e.at, e.id
       from (select 1) one left join w e on e.position = ${chunk}`,
      sql.values,
    );
    const [read] = rows;
    ids.push(...read!.ids);
    if (read!.at === null || ids.length >= max) return ids;
    last = { at: read!.at, id: read!.id! };
  }
}
