// Reads the hosts of a snapshot in small parts: the embedded database serves other callers in between.
import type { Queryable } from '../../db/database.ts';

/** Hosts per query. */
const batchSize = 100;

/** Where a host is in its snapshot. */
export interface HostPosition {
  chunk: number;
  place: number;
}

export const beforeHosts: HostPosition = { chunk: -1, place: 0 };

/**
 * The hosts of snapshot $1 after chunk $2 and place $3, in their order. Compares whole keys, so that the index is
 * read from there also where the database has no statistics.
 */
const hostsAfter = `from snapshot_node
  where (snapshot_id, chunk, place) > ($1, $2, $3) and (snapshot_id, chunk, place) <= ($1, 2147483647, 2147483647)
  order by snapshot_id, chunk, place`;

export interface HostKey extends HostPosition {
  node_id: string;
  number_of_addresses: number;
}

/** The next hosts after a position, without what they have: a host that cannot be read is among them. */
export async function readHostKeys(
  db: Queryable,
  snapshotId: string,
  { chunk, place }: HostPosition,
  max: number,
): Promise<HostKey[]> {
  const { rows } = await db.query<HostKey>(
    `select node_id, chunk, place, number_of_addresses ${hostsAfter} limit $4`,
    [snapshotId, chunk, place, max],
  );
  return rows;
}

/** All hosts of a snapshot with these columns. */
export async function* readHosts<Row>(
  db: Queryable,
  snapshotId: string,
  columns: string,
): AsyncGenerator<Row & HostPosition> {
  for (let { chunk, place } = beforeHosts; ; ) {
    const { rows } = await db.query<Row & HostPosition>(
      `select chunk, place, ${columns} ${hostsAfter} limit ${batchSize}`,
      [snapshotId, chunk, place],
    );
    for (const row of rows) yield row;
    const last = rows.at(-1);
    if (!last) return;
    ({ chunk, place } = last);
  }
}
