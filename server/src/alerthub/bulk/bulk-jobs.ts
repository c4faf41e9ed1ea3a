// Lists imports and exports for the API and recovers jobs whose process died.

import type { BulkExport, BulkImport, PlanError, PlanRow } from '@yagura/core/alerthub/bulk/bulk-job';
import type { Page } from '@yagura/core/http/page';
import { invalidField, Problem } from '@yagura/core/http/problem';
import { storedKey } from '@yagura/core/i18n/message-key';
import { type Clock, isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import type { Log } from '../../common/log.ts';
import type { Database } from '../../db/database.ts';
import { leaseExpiredSql } from '../../jobs/leases/row-leases.ts';
import { updateRows } from '../../jobs/update-rows.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { openAll } from '../../resource/sealing/sealed-fields.ts';

interface ImportRow {
  import_id: string;
  kind: string;
  status: BulkImport['status'];
  file_name: string;
  size: string;
  creates: number;
  updates: number;
  deletes: number;
  unchanged: number;
  error_count: number;
  reason: string | null;
  requested_by: string | null;
  requested_at: string;
  started_at: string | null;
  ended_at: string | null;
}

interface ExportRow {
  export_id: string;
  kind: string;
  status: BulkExport['status'];
  file_name: string;
  size: string;
  rows: number;
  requested_by: string | null;
  requested_at: string;
  ended_at: string | null;
}

const importColumns = `import_id, kind, status, file_name, size, creates, updates, deletes, unchanged, error_count,
  reason, requested_by, requested_at, started_at, ended_at`;
const exportColumns = 'export_id, kind, status, file_name, size, rows, requested_by, requested_at, ended_at';

/**
 * Marks interrupted jobs: a plan that was being made fails; a plan that was being executed changed nothing
 * and can be executed again.
 */
export async function recoverJobs(deps: { database: Database; clock: Clock; log: Log }): Promise<void> {
  const interrupted = {
    where: `status = 'processing' and ${leaseExpiredSql('$1')}`,
    whereValues: [isoTime(deps.clock.now())],
  };
  await updateRows(deps, {
    ...interrupted,
    ...{ table: 'bulk_import', key: 'import_id' },
    set: `status = case when started_at is null then 'failed' else 'planned' end,
       reason = case when started_at is null then 'bulk.broken-off' end,
       ended_at = case when started_at is null then $1::timestamptz end, started_at = null, owner = null, lease_until = null`,
  });
  await updateRows(deps, {
    ...interrupted,
    ...{ table: 'bulk_export', key: 'export_id' },
    set: `status = 'failed', ended_at = $1, owner = null, lease_until = null`,
  });
}

export function toImport(row: ImportRow, context: Pick<RequestContext, 't'>): BulkImport {
  return {
    importId: row.import_id,
    kind: row.kind,
    status: row.status,
    fileName: row.file_name,
    size: Number(row.size),
    creates: row.creates,
    updates: row.updates,
    deletes: row.deletes,
    unchanged: row.unchanged,
    errorCount: row.error_count,
    reason: row.reason && context.t(storedKey(row.reason)),
    requestedBy: row.requested_by,
    requestedAt: row.requested_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}

export function toExport(row: ExportRow): BulkExport {
  return {
    exportId: row.export_id,
    kind: row.kind,
    status: row.status,
    fileName: row.file_name,
    size: Number(row.size),
    rows: row.rows,
    requestedBy: row.requested_by,
    requestedAt: row.requested_at,
    endedAt: row.ended_at,
  };
}

/** Newest first; of one kind, or (null) all imports in progress. */
export async function listImports(context: RequestContext, kind: string | null): Promise<Page<BulkImport>> {
  const { database } = context.services;
  const { limit, offset } = pageParams(context);
  const where = kind === null ? `status = 'processing'` : 'kind = $2';
  const given = kind === null ? [context.spaceId] : [context.spaceId, kind];
  const { rows } = await database.query<ImportRow>(
    `select ${importColumns} from bulk_import where space_id = $1 and ${where}
     order by requested_at desc, import_id desc limit ${limit} offset ${offset}`,
    given,
  );
  const { rows: counted } = await database.query<{ total: number }>(
    `select count(*)::int as total from bulk_import where space_id = $1 and ${where}`,
    given,
  );
  return { items: rows.map((row) => toImport(row, context)), total: counted[0]!.total, limit, offset };
}

export async function listExports(context: RequestContext, kind: string): Promise<Page<BulkExport>> {
  const { database } = context.services;
  const { limit, offset } = pageParams(context);
  const { rows } = await database.query<ExportRow>(
    `select ${exportColumns} from bulk_export where space_id = $1 and kind = $2
     order by requested_at desc, export_id desc limit ${limit} offset ${offset}`,
    [context.spaceId, kind],
  );
  const { rows: counted } = await database.query<{ total: number }>(
    'select count(*)::int as total from bulk_export where space_id = $1 and kind = $2',
    [context.spaceId, kind],
  );
  return { items: rows.map(toExport), total: counted[0]!.total, limit, offset };
}

export async function findImport(context: RequestContext, kind: string): Promise<BulkImport> {
  const { importId } = context.params;
  const { rows } = isUuid(importId)
    ? await context.services.database.query<ImportRow>(
        `select ${importColumns} from bulk_import where space_id = $1 and kind = $2 and import_id = $3`,
        [context.spaceId, kind, importId],
      )
    : { rows: [] };
  if (!rows[0]) throw new Problem('not-found', { detail: context.t('refusal.no-import') });
  return toImport(rows[0], context);
}

export async function findExport(context: RequestContext, kind: string): Promise<BulkExport> {
  const { exportId } = context.params;
  const { rows } = isUuid(exportId)
    ? await context.services.database.query<ExportRow>(
        `select ${exportColumns} from bulk_export where space_id = $1 and kind = $2 and export_id = $3`,
        [context.spaceId, kind, exportId],
      )
    : { rows: [] };
  if (!rows[0]) throw new Problem('not-found', { detail: context.t('refusal.no-export') });
  return toExport(rows[0]);
}

/** Errors of a plan in file order, in the caller's language. */
export async function listImportErrors(
  context: RequestContext,
  importId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<PlanError[]> {
  const language = context.t('bulk.language') === 'ja' ? 'ja' : 'en';
  const { rows } = await context.services.database.query<{
    line: number;
    column_name: string | null;
    reason: string;
  }>(
    `select line, column_name, ${language} as reason from bulk_import_error
     where import_id = $1 order by line, position limit ${limit} offset ${offset}`,
    [importId],
  );
  return rows.map(({ line, column_name, reason }) => ({ line, column: column_name, reason }));
}

/** Rows of a plan in file order, optionally only those of one operation. */
export async function listImportRows(context: RequestContext, importId: string): Promise<Page<PlanRow>> {
  const { limit, offset } = pageParams(context);
  const { operation } = context.query;
  const requested = typeof operation === 'string' && operation !== '' ? operation : null;
  const { database } = context.services;
  const where = `import_id = $1 and ($2::text is null or operation = $2)`;
  const { rows } = await database.query<PlanRow>(
    `select line, operation, key, name, before, after from bulk_import_row
     where ${where} order by line limit ${limit} offset ${offset}`,
    [importId, requested],
  );
  const { rows: counted } = await database.query<{ total: number }>(
    `select count(*)::int as total from bulk_import_row where ${where}`,
    [importId, requested],
  );
  const open = (value: unknown) => openAll(context.services.sealing, context.spaceId, value);
  const items = rows.map((row) => ({ ...row, before: open(row.before), after: open(row.after) }) as PlanRow);
  return { items, total: counted[0]!.total, limit, offset };
}

export function pageParams(context: Pick<RequestContext, 'query' | 't'>): { limit: number; offset: number } {
  const read = (name: string, fallback: number, min: number, max: number) => {
    const text = context.query[name];
    if (text === undefined || text === '') return fallback;
    const value = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw invalidField(name, context.t('query.integer', { min, max }));
    return value;
  };
  return { limit: read('limit', 10, 1, 1000), offset: read('offset', 0, 0, 10_000_000) };
}
