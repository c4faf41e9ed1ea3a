// Assigns and resolves the integer keys that replace ids in files; a key never changes and is never reused.
import { lockSpace } from '../../audit/lock-space.ts';
import type { Queryable } from '../../db/database.ts';

/** Assigns a key to every item of a kind that has none, starting after the highest of the space. */
export async function assignKeys(tx: Queryable, spaceId: string, resource: string): Promise<void> {
  // Serialize per space, or two callers would assign the same number.
  await lockSpace(tx, spaceId);
  // Grouped, not joined: without statistics of keys just written, a join would compare each item with each key.
  await tx.query(
    `insert into bulk_key (space_id, kind, id, key)
     select $1, $2, n.id, coalesce((select max(key) from bulk_key where space_id = $1), 0)
       + row_number() over (order by n.created_at, n.id)
     from (
       select a.id, max(a.created_at) as created_at from (
         select r.id, r.created_at from resource r where r.space_id = $1 and r.kind = $2
         union all
         select k.id, null from bulk_key k where k.space_id = $1 and k.kind = $2
       ) a group by a.id having count(*) = count(a.created_at)
     ) n`,
    [spaceId, resource],
  );
}

/** Ids of existing items by kind and key. */
export async function findIdsByKey(
  db: Queryable,
  spaceId: string,
  requested: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<Map<string, string>> {
  const pairs = [...requested].flatMap(([kind, keys]) => [...keys].map((key) => ({ kind, key })));
  if (pairs.length === 0) return new Map();
  const { rows } = await db.query<{ kind: string; key: number; id: string }>(
    `select k.kind, k.key, k.id from bulk_key k
     join resource r on r.space_id = k.space_id and r.kind = k.kind and r.id = k.id
     join unnest($2::text[], $3::int[]) as w(kind, key) on w.kind = k.kind and w.key = k.key
     where k.space_id = $1`,
    [spaceId, pairs.map(({ kind }) => kind), pairs.map(({ key }) => key)],
  );
  return new Map(rows.map(({ kind, key, id }) => [`${kind} ${key}`, id]));
}

/** Keys by kind and id. */
export async function findKeysById(
  db: Queryable,
  spaceId: string,
  requested: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Map<string, number>> {
  const pairs = [...requested].flatMap(([kind, ids]) => [...ids].map((id) => ({ kind, id })));
  if (pairs.length === 0) return new Map();
  const { rows } = await db.query<{ kind: string; key: number; id: string }>(
    `select k.kind, k.key, k.id from bulk_key k
     join unnest($2::text[], $3::uuid[]) as w(kind, id) on w.kind = k.kind and w.id = k.id
     where k.space_id = $1`,
    [spaceId, pairs.map(({ kind }) => kind), pairs.map(({ id }) => id)],
  );
  return new Map(rows.map(({ kind, key, id }) => [`${kind} ${id}`, key]));
}
