// Erases a cancelled space in steps that can be interrupted: it is marked, from when on it is neither served nor receives
// anything; then its rows go in batches, so that nobody waits for them; the last step removes the space itself.

import type { Database, Queryable } from '../db/database.ts';
import { tryAdvisoryLock } from '../jobs/advisory-lock.ts';
import { spaceChannel } from './space-directory.ts';

/** Rows that are deleted in one transaction; each may have a large body. */
const maxRows = 100;
/** Blocks of a table that are searched for them in one transaction: few tables have an index that finds the rows. */
const blocksPerBatch = 64;
/** Seed of the advisory lock under which one replica at a time deletes rows of a space. */
const lockSeed = '7810774121093153904';
/** Their rows act in the name of the space, and are deleted before what they act on. */
const activeTables = new Set([
  ...['resource', 'job', 'task', 'task_schedule', 'waiting_trigger'],
  ...['pigeon_call', 'pigeon_chain', 'outgoing_mail'],
]);

/**
 * Marks the space for erasure and tells every server, unless it is too early at `now` (ISO 8601). Also true for a space
 * that is marked or erased already.
 */
export async function beginErasure(database: Database, spaceId: string, now: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<{ isMarked: boolean; isDue: boolean }>(
      `select erasing_since is not null as "isMarked", coalesce(cancel_ends_at <= $2, false) as "isDue"
       from space where space_id = $1 for update`,
      [spaceId, now],
    );
    const [space] = rows;
    if (!space || space.isMarked) return true;
    if (!space.isDue) return false;
    // Without the end, another server cannot take back the cancellation any more.
    await tx.query('update space set erasing_since = $2, cancel_ends_at = null where space_id = $1', [
      spaceId,
      now,
    ]);
    await tx.query("delete from resource where space_id = $1 and kind = 'receive-slot'", [spaceId]);
    await tx.notify(spaceChannel, '');
    return true;
  });
}

/** Ids of the marked spaces that are not erased yet. */
export async function listUnerasedSpaces(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ spaceId: string }>(
    'select space_id as "spaceId" from space where erasing_since is not null order by erasing_since, space_id',
  );
  return rows.map(({ spaceId }) => spaceId);
}

/**
 * Deletes what is left of a marked space, until `isStopped`. False if stopped, or if another server has taken over; the
 * next call continues.
 */
export async function eraseMarkedSpace(
  database: Database,
  spaceId: string,
  isStopped: () => boolean,
): Promise<boolean> {
  const tables = (await tablesOf(database)).filter((table) => table !== 'space');
  tables.sort((one, other) => Number(activeTables.has(other)) - Number(activeTables.has(one)));
  // Repeated, because what was under way when the space was marked may still have stored rows.
  for (let isClean = false; !isClean; ) {
    isClean = true;
    for (const table of tables) {
      const blocks = await countBlocks(database, table);
      for (let start = 0; start < blocks; ) {
        const deleted = isStopped() ? null : await deleteBatch(database, table, spaceId, start);
        if (deleted === null) return false;
        if (deleted > 0) isClean = false;
        if (deleted < maxRows) start += blocksPerBatch;
        // Let pending requests and messages go first.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }
  await database.query('delete from space where space_id = $1 and erasing_since is not null', [spaceId]);
  return true;
}

async function countBlocks(db: Queryable, table: string): Promise<number> {
  const { rows } = await db.query<{ blocks: number }>(
    `select (pg_relation_size($1::regclass) / current_setting('block_size')::int)::int as blocks`,
    [table],
  );
  return rows[0]!.blocks;
}

/** Number of rows deleted from these blocks; null if another server deletes rows of the space. */
async function deleteBatch(
  database: Database,
  table: string,
  spaceId: string,
  startBlock: number,
): Promise<number | null> {
  return database.transaction(async (tx) => {
    if (!(await tryAdvisoryLock(database, tx, lockSeed, spaceId))) return null;
    // Materialized, so that no index is searched for all rows of the space each time.
    const { rowCount } = await tx.query(
      `with found as materialized (
         select ctid as position, space_id from ${table} where ctid >= $2::tid and ctid < $3::tid)
       delete from ${table} where ctid = any(array(
         select position from found where space_id = $1 limit ${maxRows}))`,
      [spaceId, `(${startBlock},0)`, `(${startBlock + blocksPerBatch},0)`],
    );
    return rowCount;
  });
}

/** Tables with a space column, referencing tables before referenced ones and the space itself last. */
export async function tablesOf(db: Queryable): Promise<string[]> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.columns
     where table_schema = current_schema() and column_name = 'space_id' order by 1`,
  );
  const { rows: keys } = await db.query<{ child: string; parent: string }>(
    `select distinct quote_ident(c.relname) as child, quote_ident(p.relname) as parent
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
     where k.contype = 'f' and c.oid <> p.oid`,
  );
  const left = new Set(tables.map(({ name }) => name));
  const ordered: string[] = [];
  while (left.size > 0) {
    const free = [...left].filter(
      (name) => !keys.some(({ child, parent }) => parent === name && left.has(child)),
    );
    if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...left].join(', ')}`);
    for (const name of free) left.delete(name);
    ordered.push(...free);
  }
  return ordered;
}
