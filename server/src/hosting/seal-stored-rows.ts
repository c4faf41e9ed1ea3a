// At start, encrypts secrets in rows that were stored before secrets in settings were encrypted.

import { bulkKind } from '@yagura/core/alerthub/bulk/bulk-kind';
import { receiveSlot, slotAddresses } from '@yagura/core/alerthub/receive-slot';
import { resources } from '@yagura/core/all';
import { toStoredToken } from '../alerthub/slots/slot-token.ts';
import { type Clock, isoTime } from '../common/clock.ts';
import type { Database, Queryable } from '../db/database.ts';
import {
  type Sealing,
  sealedKinds,
  sealOnce,
  sealRequest,
  sealStored,
} from '../resource/sealing/sealed-fields.ts';

type Body = Record<string, unknown>;

interface SealStoredDeps {
  database: Database;
  clock: Clock;
  sealing: Sealing;
}

/** Rows rewritten per transaction. */
const batch = 500;

/**
 * Processes the remaining rows; an interrupted run continues at the next start. Must finish before anything
 * else reads or writes.
 */
export async function sealStoredRows(deps: SealStoredDeps): Promise<void> {
  await runOnce(deps, receiveSlot.name, (tx, after) =>
    sealResources(tx, receiveSlot.name, after, (spaceId, body) => sealTokens(deps.sealing, spaceId, body)),
  );
  for (const kind of sealedKinds(resources))
    await runOnce(deps, kind, (tx, after) =>
      sealResources(tx, kind, after, (spaceId, body) => sealStored(deps.sealing, spaceId, kind, body)),
    );
  for (const { table, id } of requestTables)
    await runOnce(deps, table, (tx, after) => sealRequests(tx, deps.sealing, table, id, after));
  for (const jobs of jobTables)
    await runOnce(deps, jobs.table, (tx, after) =>
      sealJobs(tx, jobs, after, (job) => jobs.seal(tx, deps.sealing, job)),
    );
  // Stored idempotent replies expire within a day, and notices once they are sent, so neither is migrated.
}

const requestTables = [
  { table: 'action_record', id: 'action_record_id' },
  { table: 'agent_request', id: 'request_id' },
] as const;

const jobTables = [
  { table: 'bulk_import', id: 'import_id', seal: sealPlan },
  { table: 'bulk_export', id: 'export_id', seal: sealFile },
] as const;

/** Processes one batch after an id; returns the last id, null when there were no more rows. */
type Batch = (tx: Queryable, after: string) => Promise<string | null>;

const first = '00000000-0000-0000-0000-000000000000';

async function runOnce({ database, clock }: SealStoredDeps, kind: string, work: Batch): Promise<void> {
  const { rows } = await database.query('select 1 from sealed_rows where kind = $1', [kind]);
  if (rows.length > 0) return;
  for (let after: string | null = first; after !== null; )
    after = await database.transaction((tx) => work(tx, after!));
  await database.query('insert into sealed_rows (kind, sealed_at) values ($1, $2) on conflict do nothing', [
    kind,
    isoTime(clock.now()),
  ]);
}

async function sealResources(
  tx: Queryable,
  kind: string,
  after: string,
  seal: (spaceId: string, body: Body) => Body,
): Promise<string | null> {
  const { rows } = await tx.query<{ id: string; spaceId: string; body: Body }>(
    `select id, space_id as "spaceId", body from resource where kind = $1 and id > $2 order by id limit ${batch} for update`,
    [kind, after],
  );
  for (const { id, spaceId, body } of rows)
    await tx.query('update resource set body = $3 where kind = $1 and id = $2', [
      kind,
      id,
      JSON.stringify(seal(spaceId, body)),
    ]);
  return rows.at(-1)?.id ?? null;
}

function sealTokens(sealing: Sealing, spaceId: string, body: Body): Body {
  const tokens = slotAddresses.map((place) => {
    const token = body[`${place}Token`];
    const isSealed = body[`${place}TokenSealed`] !== undefined;
    return typeof token !== 'string' || isSealed ? {} : toStoredToken(sealing, spaceId, place, token);
  });
  return Object.assign({}, body, ...tokens);
}

interface BulkJob {
  id: string;
  spaceId: string;
  /** Name of the resource whose settings it contains. */
  resource: string;
}

/** Encrypts plans and files of jobs that contain secrets, one job at a time. */
async function sealJobs(
  tx: Queryable,
  { table, id }: (typeof jobTables)[number],
  after: string,
  seal: (job: BulkJob) => Promise<void>,
): Promise<string | null> {
  const { rows } = await tx.query<{ id: string; spaceId: string; kind: string }>(
    `select ${id} as id, space_id as "spaceId", kind from ${table} where ${id} > $1 order by ${id} limit 1`,
    [after],
  );
  const [job] = rows;
  const resource = job && bulkKind(job.kind)?.resource;
  if (job && resource && sealedKinds([resource]).length > 0) await seal({ ...job, resource: resource.name });
  return job?.id ?? null;
}

async function sealPlan(tx: Queryable, sealing: Sealing, { id, spaceId, resource }: BulkJob): Promise<void> {
  const { rows } = await tx.query<{ line: number } & Record<'before' | 'after' | 'body', Body | null>>(
    'select line, before, after, body from bulk_import_row where import_id = $1',
    [id],
  );
  const seal = (body: Body | null) => body && JSON.stringify(sealStored(sealing, spaceId, resource, body));
  for (const row of rows)
    await tx.query(
      'update bulk_import_row set before = $3, after = $4, body = $5 where import_id = $1 and line = $2',
      [id, row.line, seal(row.before), seal(row.after), seal(row.body)],
    );
}

async function sealFile(tx: Queryable, sealing: Sealing, { id, spaceId }: BulkJob): Promise<void> {
  const { rows } = await tx.query<{ part: number; data: Buffer }>(
    'select part, data from bulk_export_chunk where export_id = $1',
    [id],
  );
  for (const { part, data } of rows)
    await tx.query('update bulk_export_chunk set data = $3 where export_id = $1 and part = $2', [
      id,
      part,
      Buffer.from(sealOnce(sealing, spaceId, data.toString('utf8')), 'latin1'),
    ]);
}

async function sealRequests(
  tx: Queryable,
  sealing: Sealing,
  table: string,
  id: string,
  after: string,
): Promise<string | null> {
  const { rows } = await tx.query<{ id: string; spaceId: string; request: unknown }>(
    `select ${id} as id, space_id as "spaceId", request from ${table} where ${id} > $1 order by ${id} limit ${batch} for update`,
    [after],
  );
  const changed = rows.flatMap((row) => {
    const sealed = JSON.stringify(sealRequest(sealing, row.spaceId, row.request));
    return sealed === JSON.stringify(row.request) ? [] : [{ id: row.id, request: sealed }];
  });
  if (changed.length > 0)
    await tx.query(
      `update ${table} t set request = x.request::jsonb
       from unnest($1::uuid[], $2::text[]) as x(id, request) where t.${id} = x.id`,
      [changed.map((row) => row.id), changed.map((row) => row.request)],
    );
  return rows.at(-1)?.id ?? null;
}
