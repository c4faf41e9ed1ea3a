// Reads items in the order of their list, stretch by stretch, for filters that no index answers: others have the store between.
import type { Database } from '../db/database.ts';
import { Sql } from './sql.ts';

/** Items of one stretch: a fraction of what a caller would notice. */
export const usualStretch = 10_000;

export interface Sifting {
  /** Expressions of the time by which the list is sorted, and of the id behind it. */
  at: string;
  id: string;
  descending: boolean;
  /** `from … where …` of the items among which to look, with whatever an index answers. */
  among(sql: Sql): string;
  /** The condition that no index answers. */
  keeps(sql: Sql): string;
}

/** Ids of the first `most` items that the filter keeps, in the order of the list. */
export async function sift(
  database: Pick<Database, 'query'>,
  { at, id, descending, among, keeps }: Sifting,
  most: number,
  stretch: number = usualStretch,
): Promise<string[]> {
  const ids: string[] = [];
  const order = descending ? 'desc' : 'asc';
  const [beyond, upTo] = descending ? ['<', '>='] : ['>', '<='];
  let last: { at: string; id: string } | undefined;
  for (;;) {
    const after = (sql: Sql) =>
      last
        ? ` and (${at}, ${id}) ${beyond} (${sql.value(last.at, 'timestamptz')}, ${sql.value(last.id, 'uuid')})`
        : '';
    const ordered = `order by ${at} ${order}, ${id} ${order}`;
    const seeking = new Sql();
    const seek = `select ${at} as at, ${id} as id from ${among(seeking)}${after(seeking)} ${ordered} offset ${stretch - 1} limit 1`;
    const [end] = (await database.query<{ at: string; id: string }>(seek, seeking.values)).rows;
    const sifting = new Sql();
    const until = end
      ? ` and (${at}, ${id}) ${upTo} (${sifting.value(end.at, 'timestamptz')}, ${sifting.value(end.id, 'uuid')})`
      : '';
    const text = `select ${id} as id from ${among(sifting)}${after(sifting)}${until} and ${keeps(sifting)} ${ordered}
      limit ${most - ids.length}`;
    const { rows } = await database.query<{ id: string }>(text, sifting.values);
    for (const row of rows) ids.push(row.id);
    if (!end || ids.length >= most) return ids;
    last = end;
  }
}
