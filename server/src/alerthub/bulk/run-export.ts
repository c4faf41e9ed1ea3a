// Writes all items of a kind to a file in the database, in chunks.
import { type BulkKind, bulkKindForResource } from '@yagura/core/alerthub/bulk/bulk-kind';
import { writeCell } from '@yagura/core/alerthub/bulk/csv-cell';
import { mapReferences } from '@yagura/core/alerthub/bulk/map-references';
import { stringify } from 'csv-stringify/sync';
import { type Clock, isoTime } from '../../common/clock.ts';
import type { ChangePublisher } from '../../db/change-bus.ts';
import type { Database } from '../../db/database.ts';
import { assignKeys, findKeysById } from './item-keys.ts';
import { readStoredItems, type StoredItem, type StoredItemDeps, toInput } from './stored-items.ts';

const pageSize = 500;

interface ExportDeps extends StoredItemDeps {
  database: Database;
  clock: Clock;
  changes: ChangePublisher;
}

export interface ExportJob {
  exportId: string;
  spaceId: string;
  kind: BulkKind;
  /** Whether the file begins with a byte order mark, by which spreadsheet programs recognize UTF-8. */
  bom: boolean;
  /** Whether text that a spreadsheet program would evaluate as a formula is written unchanged. */
  raw: boolean;
}

/** Writes the file of an export and marks the export as done or failed. */
export async function runExport(deps: ExportDeps, job: ExportJob): Promise<void> {
  const { database, clock, changes } = deps;
  let status = 'succeeded';
  let written = { rows: 0, size: 0 };
  try {
    written = await writeFile(deps, job);
  } catch (error) {
    status = 'failed';
    throw error;
  } finally {
    const now = isoTime(clock.now());
    await database.query(
      `update bulk_export set status = $3, rows = $4, size = $5, ended_at = $6, owner = null, lease_until = null
       where space_id = $1 and export_id = $2 and status = 'processing'`,
      [job.spaceId, job.exportId, status, written.rows, written.size, now],
    );
    changes.publish([
      { spaceId: job.spaceId, resource: 'bulk-export', id: job.exportId, op: 'update', at: now },
    ]);
  }
}

async function writeFile(
  deps: ExportDeps,
  { exportId, spaceId, kind, bom, raw }: ExportJob,
): Promise<{ rows: number; size: number }> {
  const { database, sealing } = deps;
  // A reference may point to any resource that can be exported.
  const named = new Set([kind.resource.name, ...referencedResources(kind)]);
  for (const resource of named) {
    if (resource !== 'attribute') await database.transaction((tx) => assignKeys(tx, spaceId, resource));
  }
  let size = 0;
  let rows = 0;
  let part = 0;
  const append = async (text: string) => {
    size += Buffer.byteLength(text);
    // Sealed: the file contains values that its reader may see but that must not be readable in the database.
    const data = Buffer.from(sealing.seal(spaceId, text), 'latin1');
    await database.query('insert into bulk_export_chunk (export_id, part, data) values ($1, $2, $3)', [
      exportId,
      part++,
      data,
    ]);
  };
  await append((bom ? '\ufeff' : '') + toCsv([kind.columns]));
  for await (const page of readStoredItems(deps, spaceId, kind, pageSize)) {
    const keys = await findKeysById(database, spaceId, referencedIds(kind, page));
    await append(toCsv(page.map((item) => toCsvRow(kind, item, keys, raw))));
    rows += page.length;
  }
  return { rows, size };
}

function toCsv(rows: string[][]): string {
  // Quote both kinds of line breaks, not only the record delimiter.
  return stringify(rows, { record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
}

function toCsvRow(
  kind: BulkKind,
  item: StoredItem,
  keys: ReadonlyMap<string, number>,
  raw: boolean,
): string[] {
  const key = (resource: string, id: unknown) => keys.get(`${resource} ${id}`) ?? id;
  const input = kind.toExactInput(mapReferences(kind.fields, toInput(kind, item.body), key));
  const parent = kind.parentField ? [String(key(kind.resource.parent!, item.parentId))] : [];
  return [
    ...(kind.hasKeyColumn ? [String(item.key)] : []),
    ...parent,
    ...Object.entries(kind.fields).map(([name, field]) => writeCell(field, input[name], raw)),
    '',
  ];
}

/** Ids that the items refer to, by resource, for resources that have keys. */
function referencedIds(kind: BulkKind, items: readonly StoredItem[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (resource: string, id: unknown) => {
    if (typeof id !== 'string' || !bulkKindForResource(resource)) return id;
    found.set(resource, (found.get(resource) ?? new Set()).add(id));
    return id;
  };
  for (const item of items) {
    mapReferences(kind.fields, toInput(kind, item.body), add);
    if (item.parentId) add(kind.resource.parent!, item.parentId);
  }
  return found;
}

/** Exportable resources that the fields of this kind may refer to. */
function referencedResources(kind: BulkKind): string[] {
  const found = new Set<string>(kind.resource.parent ? [kind.resource.parent] : []);
  const lookAll = (shape: BulkKind['fields']) => {
    for (const field of Object.values(shape)) {
      look(field);
      // The field beside it names the resource.
      const named = field.resourceBy === undefined ? [] : (shape[field.resourceBy]?.options ?? []);
      for (const resource of named) found.add(resource);
    }
  };
  const look = (field: BulkKind['fields'][string]) => {
    if (field.resource) found.add(field.resource);
    if (field.item) look(field.item);
    if (field.fields) lookAll(field.fields);
    for (const shape of Object.values(field.variants ?? {})) lookAll(shape);
  };
  lookAll(kind.fields);
  return [...found].filter((resource) => bulkKindForResource(resource));
}
