// Reads stored items as inputs without hidden fields, page by page or by the keys that a file refers to.

import type { BulkKind } from '@yagura/core/alerthub/bulk/bulk-kind';
import { attribute } from '@yagura/core/alerthub/scope';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { inputFields } from '@yagura/core/resource/define-resource';
import type { Queryable } from '../../db/database.ts';
import { openBody, type Sealing } from '../../resource/sealing/sealed-fields.ts';

type Body = Record<string, unknown>;

export interface StoredItemDeps {
  database: Queryable;
  /** Decrypts the secrets in settings. */
  sealing: Sealing;
}

export interface StoredItem {
  id: string | null;
  key: number | null;
  parentId: string | null;
  version: string;
  /** As stored, including hidden fields. */
  body: Body;
}

/**
 * Returns the input that would create the item: defaults of newer fields filled in, hidden fields removed.
 */
export function toInput(kind: BulkKind, body: Body): Body {
  if (kind.resource.name === attribute.name) return body;
  const parsed = kind.resource.input!.safeParse(body);
  return parsed.success ? (parsed.data as Body) : pickInputFields(kind.resource, body);
}

function pickInputFields(resource: AnyResource, body: Body): Body {
  return Object.fromEntries(Object.keys(inputFields(resource)).map((name) => [name, body[name]]));
}

interface StoredItemRow {
  id: string | null;
  key: number | null;
  parent_id: string | null;
  version: string;
  body: Body;
}

const toStoredItem = (row: StoredItemRow): StoredItem => ({
  id: row.id,
  key: row.key,
  parentId: row.parent_id,
  version: row.version,
  body: row.body,
});

const attributeSelect = `select null::uuid as id, null::int as key, a.scope_id as parent_id,
  a.updated_at::text || a.value as version, jsonb_build_object('name', a.name, 'value', a.value) as body from attribute a`;

/**
 * Yields all items ordered by key (attributes: by the key of their scope and their name), one page at a time.
 */
export async function* readStoredItems(
  { database: db, sealing }: StoredItemDeps,
  spaceId: string,
  kind: BulkKind,
  pageSize: number,
): AsyncGenerator<StoredItem[]> {
  let last: StoredItem | undefined;
  let lastKey = 0;
  for (;;) {
    const { rows } = kind.hasKeyColumn
      ? await db.query<StoredItemRow>(
          `select r.id, k.key, r.parent_id, r.version::text as version, r.body from bulk_key k
           join resource r on r.space_id = k.space_id and r.kind = k.kind and r.id = k.id
           where k.space_id = $1 and k.kind = $2 and k.key > $3 order by k.key limit $4`,
          [spaceId, kind.resource.name, lastKey, pageSize],
        )
      : await db.query<StoredItemRow & { scope_key: number }>(
          `${attributeSelect} join bulk_key k on k.space_id = a.space_id and k.kind = 'scope' and k.id = a.scope_id
           where a.space_id = $1 and (k.key, a.name collate "C") > ($2::int, $3::text collate "C")
           order by k.key, a.name collate "C" limit $4`.replace(
            'select null',
            'select k.key as scope_key, null',
          ),
          [spaceId, lastKey, String(last?.body.name ?? ''), pageSize],
        );
    if (rows.length === 0) return;
    const page = rows.map((row) =>
      toStoredItem({ ...row, body: openBody(sealing, spaceId, kind.resource, row.body) }),
    );
    yield page;
    if (rows.length < pageSize) return;
    last = page.at(-1);
    const end = rows.at(-1) as StoredItemRow & { scope_key?: number };
    lastKey = end.scope_key ?? end.key ?? 0;
  }
}

/** Items with these keys, by key. */
export async function findItemsByKey(
  { database: db, sealing }: StoredItemDeps,
  spaceId: string,
  resource: AnyResource,
  keys: readonly number[],
): Promise<Map<string, StoredItem>> {
  const { rows } = await db.query<StoredItemRow>(
    `select r.id, k.key, r.parent_id, r.version::text as version, r.body from bulk_key k
     join resource r on r.space_id = k.space_id and r.kind = k.kind and r.id = k.id
     where k.space_id = $1 and k.kind = $2 and k.key = any($3::int[])`,
    [spaceId, resource.name, keys],
  );
  const open = (row: StoredItemRow) => ({ ...row, body: openBody(sealing, spaceId, resource, row.body) });
  return new Map(rows.map((row) => [String(row.key), toStoredItem(open(row))]));
}

/** Attributes by scope and name. */
export async function findAttributes(
  db: Queryable,
  spaceId: string,
  requested: readonly { scopeId: string; name: string }[],
): Promise<Map<string, StoredItem>> {
  const { rows } = await db.query<StoredItemRow>(
    `${attributeSelect} join unnest($2::uuid[], $3::text[]) as w(scope_id, name)
       on w.scope_id = a.scope_id and w.name = a.name where a.space_id = $1`,
    [spaceId, requested.map(({ scopeId }) => scopeId), requested.map(({ name }) => name)],
  );
  return new Map(rows.map((row) => [`${row.parent_id} ${row.body.name}`, toStoredItem(row)]));
}
