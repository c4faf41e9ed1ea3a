// Applies an import plan in one transaction, unless the space has changed since the plan was made.
import type { BulkKind } from '@yagura/core/alerthub/bulk/bulk-kind';
import { Problem } from '@yagura/core/http/problem';
import { isoTime } from '../../common/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { removeItems } from '../../resource/item-store.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { openBody } from '../../resource/sealing/sealed-fields.ts';
import { type BulkContext, behaviourOf } from './bulk-behaviours.ts';
import { assignKeys } from './item-keys.ts';

type Body = Record<string, unknown>;

/** Thrown when the space has changed since the plan was made. */
export class PlanOutdated extends Problem {
  constructor(context: Pick<RequestContext, 't'>) {
    super('conflict', { detail: context.t('bulk.moved') });
  }
}

export interface AppliedPlan {
  changes: { resource: string; id: string; op: 'create' | 'update' | 'delete' }[];
}

/** Runs in the transaction that also marks the import as done. */
export async function applyPlan(
  tx: Transaction,
  context: BulkContext,
  kind: BulkKind,
  importId: string,
): Promise<AppliedPlan> {
  if (!kind.hasKeyColumn) return applyAttributes(tx, context, importId);
  await assertPlanCurrent(tx, context, kind, importId);
  const deleted = await applyDeletes(tx, context, kind, importId);
  await applyWrites(tx, context, kind, importId);
  await runHooks(tx, context, kind, importId);
  const { rows } = await tx.query<{ id: string; op: 'create' | 'update' }>(
    `select item_id as id, operation as op from bulk_import_row
     where import_id = $1 and operation in ('create', 'update') order by line`,
    [importId],
  );
  return {
    changes: [
      ...deleted.map(({ kind: resource, id }) => ({ resource, id, op: 'delete' as const })),
      ...rows.map(({ id, op }) => ({ resource: kind.resource.name, id, op })),
    ],
  };
}

async function assertPlanCurrent(
  tx: Transaction,
  context: RequestContext,
  kind: BulkKind,
  importId: string,
): Promise<void> {
  const { name } = kind.resource;
  const given = [context.spaceId, importId, name];
  await tx.query(
    `select 1 from resource r join bulk_import_row b on b.import_id = $2 and b.item_id = r.id
     where r.space_id = $1 and r.kind = $3 for update of r`,
    given,
  );
  // Nothing that a row names can be deleted until the end of the transaction.
  await tx.query(
    `select 1 from resource t where t.space_id = $1 and (t.kind, t.id) in (
       select n.kind, n.id from bulk_import_row b, jsonb_to_recordset(b.named) as n(kind text, id uuid)
       where b.import_id = $2 and b.operation in ('create', 'update')
     ) for key share of t`,
    [context.spaceId, importId],
  );
  const { rows } = await tx.query<{ moved: boolean }>(
    `select exists (
       select 1 from bulk_import_row b
       left join resource r on r.space_id = $1 and r.kind = $3 and r.id = b.item_id
       where b.import_id = $2 and b.operation <> 'create' and r.version::text is distinct from b.version
     ) or exists (
       select 1 from bulk_key k join resource r on r.space_id = $1 and r.kind = $3 and r.id = k.id
       where k.space_id = $1 and k.kind = $3 and k.key = any(array(
         select b.key from bulk_import_row b where b.import_id = $2 and b.operation = 'create' and b.key is not null
       ))
     ) or exists (
       select 1 from bulk_import_row b
       where b.import_id = $2 and b.operation <> 'delete' and b.parent_id is not null
         and not exists (select 1 from resource p where p.space_id = $1 and p.kind = $4 and p.id = b.parent_id)
     ) or exists (
       select 1 from bulk_import_row b, jsonb_to_recordset(b.named) as n(kind text, id uuid)
       where b.import_id = $2 and b.operation in ('create', 'update')
         and not exists (select 1 from resource t where t.space_id = $1 and t.kind = n.kind and t.id = n.id)
     ) as moved`,
    [...given, kind.resource.parent ?? ''],
  );
  if (rows[0]!.moved) throw new PlanOutdated(context);
}

async function applyDeletes(
  tx: Transaction,
  context: BulkContext,
  kind: BulkKind,
  importId: string,
): Promise<{ kind: string; id: string }[]> {
  const { rows } = await tx.query<{ id: string; parent_id: string | null; body: Body }>(
    `select item_id as id, parent_id, before as body from bulk_import_row
     where import_id = $1 and operation = 'delete' order by line`,
    [importId],
  );
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const gone = await removeItems(tx, context, kind.resource, ids);
  const { afterRemove } = behaviourOf(kind.name);
  const open = createBodyOpener(context, kind);
  if (afterRemove) {
    for (const { id, parent_id, body } of rows)
      await afterRemove(tx, withParent(context, kind, parent_id), id, open(body));
  }
  return gone;
}

/** The context as in a call for one item: its path has the parent's id. */
const withParent = <C extends RequestContext>(context: C, kind: BulkKind, parentId: string | null): C => ({
  ...context,
  params: kind.parentField && parentId ? { [kind.parentField]: parentId } : {},
});

/**
 * Number of new rows from which the tables are analyzed, since the following joins would otherwise be planned
 * for small ones.
 */
const analyzeThreshold = 1000;

async function applyWrites(
  tx: Transaction,
  context: RequestContext,
  kind: BulkKind,
  importId: string,
): Promise<void> {
  const { name } = kind.resource;
  const given = [context.spaceId, importId, name];
  const now = isoTime(context.services.clock.now());
  // Rows of one file may swap names: clear all unique keys before setting any.
  await tx.query(
    `update resource r set unique_key = null from bulk_import_row b
     where b.import_id = $2 and b.operation = 'update' and r.space_id = $1 and r.kind = $3 and r.id = b.item_id`,
    given,
  );
  await tx.query(
    `update resource r set body = b.body, unique_key = b.unique_key, updated_at = $4, version = r.version + 1
     from bulk_import_row b
     where b.import_id = $2 and b.operation = 'update' and r.space_id = $1 and r.kind = $3 and r.id = b.item_id`,
    [...given, now],
  );
  const { rowCount } = await tx.query(
    `insert into resource (space_id, kind, id, parent_id, unique_key, body, created_at, updated_at)
     select $1, $3, b.item_id, b.parent_id, b.unique_key, b.body, $4, $4 from bulk_import_row b
     where b.import_id = $2 and b.operation = 'create' order by b.line`,
    [...given, now],
  );
  if (rowCount >= analyzeThreshold) await tx.query('analyze resource, bulk_key');
  await tx.query(
    `delete from reference f using bulk_import_row b
     where b.import_id = $2 and b.operation = 'update' and f.space_id = $1 and f.from_kind = $3 and f.from_id = b.item_id`,
    given,
  );
  await tx.query(
    `insert into reference (space_id, from_kind, from_id, to_kind, to_id)
     select distinct $1::uuid, $3, b.item_id, n.kind, n.id
     from bulk_import_row b, jsonb_to_recordset(b.named) as n(kind text, id uuid)
     where b.import_id = $2 and b.operation in ('create', 'update')`,
    given,
  );
  await tx.query(
    `insert into bulk_key (space_id, kind, id, key)
     select $1, $3, b.item_id, b.key from bulk_import_row b
     where b.import_id = $2 and b.operation = 'create' and b.key is not null
     on conflict (space_id, kind, key) do update set id = excluded.id`,
    given,
  );
  await assignKeys(tx, context.spaceId, name);
}

/** Rows whose hooks run per page. */
const hookPageSize = 500;

/** Unseals a row of the plan; plan rows are sealed like settings. */
function createBodyOpener(
  { services, spaceId }: RequestContext,
  { resource }: BulkKind,
): (body: Body) => Body {
  return (body) => openBody(services.sealing, spaceId, resource, body);
}

/** Runs the side effects that a write of a single item has. */
async function runHooks(
  tx: Transaction,
  context: BulkContext,
  kind: BulkKind,
  importId: string,
): Promise<void> {
  const { afterWrite, allWritten } = behaviourOf(kind.name);
  if (!afterWrite) return;
  const open = createBodyOpener(context, kind);
  // Paged, since all rows of a large file do not fit in memory.
  for (let after = 0, isMore = true; isMore; ) {
    const { rows } = await tx.query<{
      line: number;
      id: string;
      parent_id: string | null;
      body: Body;
      before: Body | null;
    }>(
      `select line, item_id as id, parent_id, body, before from bulk_import_row
       where import_id = $1 and operation in ('create', 'update') and line > $2 order by line limit ${hookPageSize}`,
      [importId, after],
    );
    if (allWritten) {
      await allWritten(
        tx,
        context,
        rows.map(({ id, body, before }) => ({
          id,
          body: open(body),
          before: before ? open(before) : undefined,
        })),
      );
    } else {
      for (const { id, parent_id, body, before } of rows) {
        const rowContext = withParent(context, kind, parent_id);
        await afterWrite(tx, rowContext, id, open(body), before ? open(before) : undefined);
      }
    }
    after = rows.at(-1)?.line ?? after;
    isMore = rows.length === hookPageSize;
  }
}

async function applyAttributes(
  tx: Transaction,
  context: RequestContext,
  importId: string,
): Promise<AppliedPlan> {
  const { rows: outdated } = await tx.query<{ moved: boolean }>(
    `select exists (
       select 1 from bulk_import_row b
       left join attribute a on a.space_id = $1 and a.scope_id = b.parent_id and a.name = b.name
       where b.import_id = $2 and (a.updated_at::text || a.value) is distinct from b.version
     ) or exists (
       select 1 from bulk_import_row b where b.import_id = $2
         and not exists (select 1 from resource p where p.space_id = $1 and p.kind = 'scope' and p.id = b.parent_id)
     ) as moved`,
    [context.spaceId, importId],
  );
  if (outdated[0]!.moved) throw new PlanOutdated(context);
  await tx.query(
    `delete from attribute a using bulk_import_row b
     where b.import_id = $2 and b.operation = 'delete' and a.space_id = $1 and a.scope_id = b.parent_id and a.name = b.name`,
    [context.spaceId, importId],
  );
  await tx.query(
    `insert into attribute (space_id, scope_id, name, value, created_at, updated_at)
     select $1, b.parent_id, b.body->>'name', b.body->>'value', $3, $3 from bulk_import_row b
     where b.import_id = $2 and b.operation in ('create', 'update') order by b.line
     on conflict (scope_id, name) do update set value = excluded.value, updated_at = excluded.updated_at`,
    [context.spaceId, importId, isoTime(context.services.clock.now())],
  );
  const { rows } = await tx.query<{ id: string; op: 'create' | 'update' | 'delete' }>(
    `select name as id, operation as op from bulk_import_row where import_id = $1 and operation <> 'unchanged' order by line`,
    [importId],
  );
  return { changes: rows.map(({ id, op }) => ({ resource: 'attribute', id, op })) };
}
