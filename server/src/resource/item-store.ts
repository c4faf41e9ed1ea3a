// Finds, creates, updates and deletes items of any resource stored as rows of `resource`.

import { resourceNamed } from '@yagura/core/all';
import { Problem } from '@yagura/core/http/problem';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { isoTime } from '../common/clock.ts';
import { isUuid } from '../common/id.ts';
import type { Queryable } from '../db/database.ts';
import { itemNotFound } from './item-not-found.ts';
import { preparedStatement, Sql } from './list/sql.ts';
import { bodyTable, type Table, toCamelCase } from './list/table.ts';
import { assertNotReferenced, checkReferences, referencesIn, writeReferences } from './references.ts';
import type { RequestContext } from './request-context.ts';
import { openBody, sealBody } from './sealing/sealed-fields.ts';

/** Returns the condition for rows visible to the caller; undefined for none. */
export type RowFilter = (sql: Sql) => string | undefined;

/** Where a parent's items are stored and which of them the caller sees; a behavior is one. */
export interface ItemSource {
  resource: AnyResource;
  table?: Table;
  parent?: ItemSource;
  rowFilter?(context: RequestContext, sql: Sql): string | undefined;
}

/** An item with the version used for its ETag. */
export interface StoredItem {
  item: Record<string, unknown>;
  version: string;
  /** The item as serialized JSON, when serializing it here would block the event loop. */
  json?: Buffer;
}

/** Finds an item by id; the texts of the table and the row filter must depend on the resource alone. */
export async function findItem(
  db: Queryable,
  context: Pick<RequestContext, 'services' | 'spaceId' | 'params'>,
  resource: AnyResource,
  table: Table,
  id: string,
  rowFilter?: RowFilter,
): Promise<StoredItem | null> {
  if (table.id.type === 'uuid' && !isUuid(id)) return null;
  const isNested = `${table.from} ${table.where}`.includes('{parent}');
  if (isNested && !isUuid(parentId(resource, context))) return null;
  const sql = new Sql();
  const seen = rowFilter?.(sql);
  const where = `${bindPlaceholders(table.where, context, resource, sql)} and ${table.id.sql} = ${sql.value(id)}${seen ? ` and (${seen})` : ''}`;
  const { rows } = await db.query(
    preparedStatement(
      `select ${table.select} from ${bindPlaceholders(table.from, context, resource, sql)} where ${where}`,
    ),
    sql.values,
  );
  const row = rows[0];
  if (!row) return null;
  return {
    item: table.item(openRow(context, resource, row)),
    version: String(row.version ?? row.updated_at ?? '1'),
  };
}

/** Which of these items are visible to the caller. */
export async function visibleIds(
  context: Pick<RequestContext, 'services' | 'spaceId' | 'params'>,
  resource: AnyResource,
  table: Table,
  ids: readonly string[],
  rowFilter: RowFilter,
  db: Queryable = context.services.database,
): Promise<string[]> {
  const sql = new Sql();
  const conditions = [
    bindPlaceholders(table.where, context, resource, sql),
    `${table.id.sql} = any(${sql.value(table.id.type === 'uuid' ? ids.filter(isUuid) : ids, `${table.id.type}[]`)})`,
  ];
  const seen = rowFilter(sql);
  if (seen) conditions.push(`(${seen})`);
  const { rows } = await db.query<{ id: string }>(
    `select ${table.id.sql} as id from ${bindPlaceholders(table.from, context, resource, sql)} where ${conditions.join(' and ')}`,
    sql.values,
  );
  return rows.map(({ id }) => id);
}

/** Reads an item that was just written; throws a 404 when it was deleted since. */
export async function reloadItem(...where: Parameters<typeof findItem>): Promise<StoredItem> {
  const found = await findItem(...where);
  if (!found) throw new Problem('not-found');
  return found;
}

/** The parent item must exist and be visible to the caller before its children are listed or created. */
export async function assertParentVisible(
  db: Queryable,
  context: RequestContext,
  resource: AnyResource,
  parent?: ItemSource,
): Promise<string | null> {
  if (!resource.parent) return null;
  const id = parentId(resource, context);
  if (await parentExists(db, context, resource.parent, id, parent)) return id;
  throw itemNotFound(context, parent?.resource ?? resourceNamed(resource.parent));
}

/**
 * Keeps the parent in the path until the end of the transaction: its deletion would miss an item that is added to it
 * meanwhile. Throws a 404 when it is gone.
 */
export async function lockParent(
  tx: Queryable,
  context: RequestContext,
  resource: AnyResource,
): Promise<void> {
  if (!resource.parent) return;
  const parent = resourceNamed(resource.parent);
  if (!(await keepItem(tx, context.spaceId, parent, parentId(resource, context))))
    throw itemNotFound(context, parent);
}

/**
 * Keeps an item until the end of the transaction: its deletion would miss what is added to it meanwhile. False if it is
 * gone.
 */
export async function keepItem(
  tx: Queryable,
  spaceId: string,
  resource: AnyResource,
  id: string,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { rows } = await tx.query(
    'select 1 from resource where space_id = $1 and kind = $2 and id = $3 for key share',
    [spaceId, resource.name, id],
  );
  return rows.length > 0;
}

async function parentExists(
  db: Queryable,
  context: RequestContext,
  kind: string,
  id: string,
  parent: ItemSource | undefined,
): Promise<boolean> {
  if (parent) {
    if (parent.parent) await assertParentVisible(db, context, parent.resource, parent.parent);
    const table = parent.table ?? bodyTable(parent.resource);
    if (table.id.type === 'uuid' && !isUuid(id)) return false;
    const sql = new Sql();
    const seen = parent.rowFilter?.(context, sql);
    const where = `${bindPlaceholders(table.where, context, parent.resource, sql)} and ${table.id.sql} = ${sql.value(id)}`;
    // Select no columns, so that the database skips joins needed only for them.
    const { rows } = await db.query(
      preparedStatement(
        `select 1 from ${bindPlaceholders(table.from, context, parent.resource, sql)} where ${where}${seen ? ` and (${seen})` : ''}`,
      ),
      sql.values,
    );
    return rows.length > 0;
  }
  if (!isUuid(id)) return false;
  const { rows } = await db.query('select 1 from resource where space_id = $1 and kind = $2 and id = $3', [
    context.spaceId,
    kind,
    id,
  ]);
  return rows.length > 0;
}

export async function insertItem(
  tx: Queryable,
  context: RequestContext,
  resource: AnyResource,
  body: Record<string, unknown>,
): Promise<string> {
  const found = referencesIn(resource, body);
  await checkReferences(tx, context, found);
  const id = context.services.nextId();
  const now = isoTime(context.services.clock.now());
  await tx.query(
    {
      name: 'resource_insert',
      text: `insert into resource (space_id, kind, id, parent_id, unique_key, body, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    },
    [
      context.spaceId,
      resource.name,
      id,
      resource.parent ? parentId(resource, context) : null,
      uniqueKey(resource, body),
      JSON.stringify(sealBody(context.services.sealing, context.spaceId, resource, body)),
      now,
    ],
  );
  await writeReferences(tx, context.spaceId, { kind: resource.name, id }, found);
  return id;
}

export async function updateItem(
  tx: Queryable,
  context: RequestContext,
  resource: AnyResource,
  id: string,
  body: Record<string, unknown>,
): Promise<void> {
  const found = referencesIn(resource, body);
  await checkReferences(tx, context, found);
  await tx.query(
    {
      name: 'resource_update',
      text: `update resource set body = $4, unique_key = $5, updated_at = $6, version = version + 1
       where space_id = $1 and kind = $2 and id = $3`,
    },
    [
      context.spaceId,
      resource.name,
      id,
      JSON.stringify(sealBody(context.services.sealing, context.spaceId, resource, body)),
      uniqueKey(resource, body),
      isoTime(context.services.clock.now()),
    ],
  );
  await writeReferences(tx, context.spaceId, { kind: resource.name, id }, found);
}

/** Locks an item's row and returns its stored body, or null. */
export async function lockItem(
  tx: Queryable,
  context: RequestContext,
  resource: AnyResource,
  id: string,
): Promise<{ body: Record<string, unknown>; version: string } | null> {
  if (!isUuid(id)) return null;
  const { rows } = await tx.query<{ body: Record<string, unknown>; version: string }>(
    {
      name: 'resource_lock',
      text: `select body, version::text as version from resource
       where space_id = $1 and kind = $2 and id = $3 and ($4::uuid is null or parent_id = $4) for update`,
    },
    [context.spaceId, resource.name, id, resource.parent ? parentId(resource, context) : null],
  );
  const [row] = rows;
  return row ? (openRow(context, resource, row) as typeof row) : null;
}

/** A row with its body decrypted. */
export function openRow(
  { services, spaceId }: Pick<RequestContext, 'services' | 'spaceId'>,
  resource: AnyResource,
  row: Record<string, unknown>,
): Record<string, unknown> {
  if (typeof row.body !== 'object' || row.body === null) return row;
  return { ...row, body: openBody(services.sealing, spaceId, resource, row.body) };
}

/** Deletes an item and its children; returns everything deleted. */
export async function removeItem(
  tx: Queryable,
  context: RequestContext,
  resource: AnyResource,
  id: string,
): Promise<{ kind: string; id: string }[]> {
  return removeItems(tx, context, resource, [id]);
}

/** Same for several items, which may reference one another. */
export async function removeItems(
  tx: Queryable,
  context: RequestContext,
  resource: AnyResource,
  roots: readonly string[],
): Promise<{ kind: string; id: string }[]> {
  const { spaceId } = context;
  const { rows: held } = await tx.query<{ kind: string; id: string }>(
    `with recursive held as (
       select kind, id from resource where space_id = $1 and parent_id = any($2::uuid[])
       union select r.kind, r.id from resource r join held h on r.space_id = $1 and r.parent_id = h.id
     ) select kind, id from held`,
    [spaceId, roots],
  );
  const removed = [...roots.map((id) => ({ kind: resource.name, id })), ...held];
  await tx.query('select 1 from resource where space_id = $1 and id = any($2::uuid[]) for update', [
    spaceId,
    held.map((thing) => thing.id),
  ]);
  await assertNotReferenced(tx, context, removed);
  const ids = removed.map((thing) => thing.id);
  await tx.query('delete from reference where space_id = $1 and from_id = any($2::uuid[])', [spaceId, ids]);
  await tx.query('delete from resource where space_id = $1 and id = any($2::uuid[])', [spaceId, ids]);
  return removed;
}

/** The value that must be unique among siblings, as text; null when nothing must. */
export function uniqueKey(resource: AnyResource, body: Record<string, unknown>): string | null {
  if (resource.unique.length === 0) return null;
  return JSON.stringify(resource.unique.map((name) => body[name] ?? null));
}

/** The id of the parent in the path; '' if the resource has no parent or the path does not contain it. */
export function parentId(resource: AnyResource, context: Pick<RequestContext, 'params'>): string {
  return (resource.parent && context.params[`${toCamelCase(resource.parent)}Id`]) ?? '';
}

export function bindPlaceholders(
  text: string,
  context: Pick<RequestContext, 'services' | 'spaceId' | 'params'>,
  resource: AnyResource,
  sql: Sql,
): string {
  return text
    .replaceAll('{space}', () => sql.value(context.spaceId, 'uuid'))
    .replaceAll('{now}', () => sql.value(isoTime(context.services.clock.now()), 'timestamptz'))
    .replaceAll('{parent}', () => sql.value(parentId(resource, context), 'uuid'));
}
