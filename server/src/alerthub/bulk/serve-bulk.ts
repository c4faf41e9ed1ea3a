// HTTP routes of bulk imports and exports.

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline as pipe } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { BulkExport, BulkImport } from '@yagura/core/alerthub/bulk/bulk-job';
import { type BulkKind, bulkKind } from '@yagura/core/alerthub/bulk/bulk-kind';
import { invalidField, Problem } from '@yagura/core/http/problem';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiServices } from '../../api/create-request-context.ts';
import { serveFixed, serveFixedRaw } from '../../api/serve-fixed.ts';
import { isoTime } from '../../common/clock.ts';
import { errorFields } from '../../common/log.ts';
import type { Queryable } from '../../db/database.ts';
import { maxFileBytes, maxUploadBytes } from '../../http/body/upload-limit.ts';
import { changeOf } from '../../resource/item-operations.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import type { Sealing } from '../../resource/sealing/sealed-fields.ts';
import { applyPlan } from './apply-plan.ts';
import type { BulkContext, BulkServices } from './bulk-behaviours.ts';
import {
  findExport,
  findImport,
  listExports,
  listImportErrors,
  listImportRows,
  listImports,
  pageParams,
  recoverJobs,
} from './bulk-jobs.ts';
import { Planner } from './planner.ts';
import { runExport } from './run-export.ts';

const maxInlineErrors = 1000;
/** Maximum number of changes announced individually. */
const maxTold = 500;
/** Age in milliseconds above which jobs are deleted with their rows and files when a new one is created. */
const fileRetentionMs = 90 * 86_400_000;

interface ServeBulkServices extends BulkServices, ApiServices {
  secret: BulkServices['secret'];
  pipeline: BulkServices['pipeline'];
}

export function serveBulk(app: FastifyInstance, services: ServeBulkServices): void {
  serveFixed(app, services, 'bulk-imports-processing', async (context) => {
    await recoverJobs(services);
    return listImports(context, null);
  });
  serveFixed(app, services, 'bulk-imports', (context) => listImports(context, kindOf(context).name));
  serveFixed(app, services, 'bulk-import', async (context) => {
    await recoverJobs(services);
    const found = await findImport(context, kindOf(context).name);
    return {
      ...found,
      errors: await listImportErrors(context, found.importId, { limit: maxInlineErrors, offset: 0 }),
    };
  });
  serveFixed(app, services, 'bulk-import-rows', async (context) =>
    listImportRows(context, (await findImport(context, kindOf(context).name)).importId),
  );
  serveFixed(app, services, 'bulk-import-errors', async (context) => {
    const found = await findImport(context, kindOf(context).name);
    const page = pageParams(context);
    return { items: await listImportErrors(context, found.importId, page), total: found.errorCount, ...page };
  });
  serveFixed(app, services, 'bulk-exports', (context) => listExports(context, kindOf(context).name));
  serveFixed(app, services, 'bulk-export', (context) => findExport(context, kindOf(context).name));
  serveFixed(app, services, 'bulk-export-create', (context, body) =>
    startExport(context, kindOf(context), body as { bom: boolean; raw: boolean }),
  );
  serveFixedRaw(app, services, 'bulk-import-exec', async (context, _request, reply) => {
    await executeImport(context, kindOf(context));
    return reply.type('text/plain; charset=utf-8').send('');
  });
  serveFixedRaw(app, services, 'bulk-export-file', sendExport);
  app.register(async (scope) => {
    await scope.register(multipart, { limits: { files: 1, fields: 10, fileSize: maxFileBytes } });
    serveFixedRaw(
      scope,
      services,
      'bulk-import-create',
      async (context, request, reply) =>
        reply.code(201).send(await receiveUpload(context, kindOf(context), request)),
      maxUploadBytes,
    );
  });
}

function kindOf(context: RequestContext): BulkKind {
  const kind = bulkKind(context.params.kind ?? '');
  if (!kind) throw new Problem('not-found', { detail: context.t('refusal.no-bulk-kind') });
  return kind;
}

/** Spools the upload to a file, so that a slow client ties up nothing else, then makes the plan. */
async function receiveUpload(
  context: BulkContext,
  kind: BulkKind,
  request: FastifyRequest,
): Promise<BulkImport> {
  if (!request.isMultipart()) {
    throw new Problem('unsupported-media-type', { detail: context.t('refusal.send-form') });
  }
  const part = await request.file();
  if (part?.fieldname !== 'file') {
    part?.file.resume();
    throw invalidField('file', context.t('rule.required'));
  }
  const folder = await mkdtemp(join(tmpdir(), 'yagura-import-'));
  const path = join(folder, 'file.csv');
  try {
    await pipe(part.file, createWriteStream(path));
    if (part.file.truncated) {
      throw new Problem('too-large', {
        detail: context.t('refusal.file-size', { size: maxFileBytes / 1024 / 1024 }),
      });
    }
    const { size } = await stat(path);
    const name = (part.filename || `${kind.name}.csv`).replace(/[\x00-\x1f\x7f/\\]/g, '_').toWellFormed();
    return await planFile(context, kind, { path, size, name: name.slice(0, 255) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function planFile(
  context: BulkContext,
  kind: BulkKind,
  file: { path: string; size: number; name: string },
): Promise<BulkImport> {
  const { database, clock, nextId, bulkLeases } = context.services;
  const leases = bulkLeases.imports;
  const importId = nextId();
  const now = clock.now();
  await deleteExpired(database, context.spaceId, now);
  await database.query(
    `insert into bulk_import (import_id, space_id, kind, status, file_name, size, lease_until, requested_at, requested_by, owner)
     values ($1, $2, $3, 'processing', $4, $5, $6, $7, $8, $9)`,
    [
      importId,
      context.spaceId,
      kind.name,
      file.name,
      file.size,
      leases.end(),
      isoTime(now),
      context.principal.displayName,
      leases.owner,
    ],
  );
  publishChange(context, 'bulk-import', importId, 'create');
  await recordAudit(context, kind, 'import-file', {
    id: importId,
    after: { fileName: file.name, size: file.size },
  });
  const end = (status: string, counts: number[], reason: string | null) =>
    database.query(
      `update bulk_import set status = $2, creates = $3, updates = $4, deletes = $5, unchanged = $6, error_count = $7,
         reason = $8, owner = null, lease_until = null, ended_at = case when $2 = 'failed' then $9::timestamptz end where import_id = $1`,
      [importId, status, ...counts, reason, isoTime(clock.now())],
    );
  try {
    const planner = await Planner.for(context, kind, importId);
    const { creates, updates, deletes, unchanged, errors } = await planner.plan(createReadStream(file.path));
    const failed = errors > 0;
    await end(
      failed ? 'failed' : 'planned',
      [creates, updates, deletes, unchanged, errors],
      failed ? 'bulk.has-errors' : null,
    );
  } catch (error) {
    await end('failed', [0, 0, 0, 0, 0], 'bulk.broken-off');
    throw error;
  }
  publishChange(context, 'bulk-import', importId, 'update');
  return findImport({ ...context, params: { importId } }, kind.name);
}

async function executeImport(context: BulkContext, kind: BulkKind): Promise<void> {
  const { database, clock, pipeline, changes, audit, bulkLeases } = context.services;
  await recoverJobs(context.services);
  const { importId, status, fileName, creates, updates, deletes } = await findImport(context, kind.name);
  const now = isoTime(clock.now());
  const { rowCount } = await database.query(
    `update bulk_import set status = 'processing', started_at = $2, lease_until = $3, owner = $4
     where import_id = $1 and status = 'planned'`,
    [importId, now, bulkLeases.imports.end(), bulkLeases.imports.owner],
  );
  if (rowCount === 0) {
    const word = status === 'failed' ? 'bulk.cannot-execute' : 'bulk.executed';
    throw new Problem('conflict', { detail: context.t(word) });
  }
  publishChange(context, 'bulk-import', importId, 'update');
  try {
    await pipeline.withPipelineLock(
      'settings',
      async (tx) => {
        const applied = await applyPlan(tx, context, kind, importId);
        await tx.query(
          `update bulk_import set status = 'succeeded', ended_at = $2, owner = null, lease_until = null where import_id = $1`,
          [importId, isoTime(clock.now())],
        );
        // The rows of the plan hold each item before and after.
        const after = { fileName, creates, updates, deletes };
        await audit.write(tx, changeOf(context, kind.resource, 'import', { id: importId, after }));
        return applied;
      },
      (applied) => {
        const at = isoTime(clock.now());
        // Enough for every client to reload.
        changes.publish(
          applied.changes.slice(0, maxTold).map((change) => ({ spaceId: context.spaceId, at, ...change })),
        );
      },
    );
  } catch (error) {
    const clash = (error as { code?: string }).code === '23505';
    const reason = clash || error instanceof Problem ? 'bulk.moved' : 'bulk.broken-off';
    await database.query(
      `update bulk_import set status = 'failed', ended_at = $2, owner = null, lease_until = null, reason = $3 where import_id = $1`,
      [importId, isoTime(clock.now()), reason],
    );
    if (clash) throw new Problem('conflict', { detail: context.t('bulk.moved'), cause: error });
    throw error;
  } finally {
    publishChange(context, 'bulk-import', importId, 'update');
  }
}

async function startExport(
  context: BulkContext,
  kind: BulkKind,
  { bom, raw }: { bom: boolean; raw: boolean },
): Promise<BulkExport> {
  const { services, spaceId } = context;
  const { database, clock, nextId, log, bulkLeases } = services;
  const leases = bulkLeases.exports;
  const exportId = nextId();
  const now = clock.now();
  await deleteExpired(database, spaceId, now);
  const stamp = isoTime(now).replace(/[-:]|\.\d+/g, '');
  await database.query(
    `insert into bulk_export (export_id, space_id, kind, status, file_name, lease_until, requested_at, requested_by, owner)
     values ($1, $2, $3, 'processing', $4, $5, $6, $7, $8)`,
    [
      exportId,
      spaceId,
      kind.name,
      `${kind.name}-${stamp}.csv`,
      leases.end(),
      isoTime(now),
      context.principal.displayName,
      leases.owner,
    ],
  );
  publishChange(context, 'bulk-export', exportId, 'create');
  await recordAudit(context, kind, 'export', { id: exportId });
  runExport(services, { exportId, spaceId, kind, bom, raw }).catch((error) => {
    log({ level: 'error', message: 'an export failed', kind: kind.name, ...errorFields(error) });
  });
  return findExport({ ...context, params: { exportId } }, kind.name);
}

async function sendExport(
  context: RequestContext,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const kind = kindOf(context);
  const { exportId, status, fileName, size } = await findExport(context, kind.name);
  if (status !== 'succeeded') throw new Problem('conflict', { detail: context.t('bulk.no-file') });
  await recordAudit(context, kind, 'export-file', { id: exportId, after: { fileName } });
  return reply
    .headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName}"`,
      'content-length': String(size),
      'x-content-type-options': 'nosniff',
    })
    .send(Readable.from(readExportChunks(context, exportId)));
}

async function* readExportChunks(
  { services, spaceId }: RequestContext,
  exportId: string,
): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const { rows } = await services.database.query<{ data: Buffer }>(
      'select data from bulk_export_chunk where export_id = $1 and part = $2',
      [exportId, part],
    );
    if (!rows[0]) return;
    yield decryptChunk(services.sealing, spaceId, rows[0].data);
  }
}

/** Chunks written before files were sealed are plain. */
function decryptChunk(sealing: Sealing, spaceId: string, data: Buffer): Buffer {
  const text = data.toString('latin1');
  const opened = sealing.open(spaceId, text);
  return opened === text ? data : Buffer.from(opened, 'utf8');
}

/** Writes an audit log entry for an import file, an export, or its download. */
function recordAudit(
  context: RequestContext,
  { resource }: BulkKind,
  action: string,
  change: { id: string; after?: Record<string, unknown> },
): Promise<void> {
  return context.services.audit.record(changeOf(context, resource, action, change));
}

async function deleteExpired(db: Queryable, spaceId: string, now: number): Promise<void> {
  const before = isoTime(now - fileRetentionMs);
  await db.query('delete from bulk_import where space_id = $1 and requested_at < $2', [spaceId, before]);
  await db.query('delete from bulk_export where space_id = $1 and requested_at < $2', [spaceId, before]);
}

function publishChange(context: RequestContext, resource: string, id: string, op: 'create' | 'update'): void {
  const { changes, clock } = context.services;
  changes.publish([{ spaceId: context.spaceId, resource, id, op, at: isoTime(clock.now()) }]);
}
