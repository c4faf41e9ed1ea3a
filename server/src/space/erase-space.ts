// Deletes a space with all its data in foreign key order.
import type { Database, Queryable } from '../db/database.ts';

/**
 * Deletes all rows of the space in one transaction, unless another process already did or `due` says it is
 * too early.
 */
export async function eraseSpace(
  database: Database,
  spaceId: string,
  due: (tx: Queryable) => Promise<boolean>,
): Promise<'erased' | 'erased-before' | 'not-due'> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query('select 1 from space where space_id = $1 for update', [spaceId]);
    if (rows.length === 0) return 'erased-before';
    if (!(await due(tx))) return 'not-due';
    for (const table of await tablesOf(tx))
      await tx.query(`delete from ${table} where space_id = $1`, [spaceId]);
    return 'erased';
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
