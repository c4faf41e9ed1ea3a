// Reads a whole file and stores the changes it would make as a plan, in batches; no settings are changed.

import { type BulkKind, deleteColumn, keyColumn } from '@yagura/core/alerthub/bulk/bulk-kind';
import { resourceNamed } from '@yagura/core/all';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { toStoreJson } from '../../db/store-json.ts';
import { parentKinds, referrerJoins, referrerNames } from '../../resource/references.ts';
import { sealBody } from '../../resource/sealing/sealed-fields.ts';
import type { BulkContext } from './bulk-behaviours.ts';
import { findIdsByKey } from './item-keys.ts';
import {
  type BulkTranslators,
  type PlanError,
  type PlannedRow,
  planRow,
  type StoredLookup,
  toPlanError,
} from './plan-row.ts';
import { readRows, UnreadableFile } from './read-rows.ts';
import { checkHeader, collectKeys, parseDraft, type RowDraft, type RowError } from './row-draft.ts';
import { findAttributes, findItemsByKey, type StoredItem } from './stored-items.ts';

const batchSize = 500;
export const maxRows = 100_000;
/** Errors after which the rest of the file is not read. */
const maxErrors = 10_000;
export interface PlanCounts {
  creates: number;
  updates: number;
  deletes: number;
  unchanged: number;
  errors: number;
}

export class Planner {
  private readonly context: BulkContext;
  private readonly kind: BulkKind;
  private readonly importId: string;
  private readonly languages: BulkTranslators;
  private readonly seen = new Map<string, number>();
  private errors = 0;

  private constructor(context: BulkContext, kind: BulkKind, importId: string, languages: BulkTranslators) {
    this.context = context;
    this.kind = kind;
    this.importId = importId;
    this.languages = languages;
  }

  static async for(context: BulkContext, kind: BulkKind, importId: string): Promise<Planner> {
    const [en, ja] = await Promise.all([loadTranslator('en'), loadTranslator('ja')]);
    return new Planner(context, kind, importId, { en, ja });
  }

  /** Stores the rows and errors of the plan and returns their counts. */
  async plan(bytes: AsyncIterable<Buffer>): Promise<PlanCounts> {
    try {
      await this.readAll(bytes);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      await this.recordErrors([{ line: error.line, column: error.column, refusal: error.refusal }]);
    }
    // The queries below join all rows; without fresh statistics the planner would choose a nested loop.
    await this.context.services.database.query('analyze bulk_import_row');
    if (this.kind.hasKeyColumn) await this.findClashes();
    const { rows } = await this.context.services.database.query<{ operation: string; count: number }>(
      'select operation, count(*)::int as count from bulk_import_row where import_id = $1 group by 1',
      [this.importId],
    );
    const count = (operation: string) => rows.find((row) => row.operation === operation)?.count ?? 0;
    return {
      creates: count('create'),
      updates: count('update'),
      deletes: count('delete'),
      unchanged: count('unchanged'),
      errors: this.errors,
    };
  }

  private async readAll(bytes: AsyncIterable<Buffer>): Promise<void> {
    let header: string[] | undefined;
    let drafts: RowDraft[] = [];
    let count = 0;
    for await (const row of readRows(bytes)) {
      if (!header) {
        header = row.cells.map((cell) => cell.trim());
        const wrong = checkHeader(this.kind, row.line, header);
        await this.recordErrors(wrong);
        if (wrong.length > 0) return;
        continue;
      }
      if (++count > maxRows) {
        await this.recordErrors([
          { line: row.line, column: null, refusal: { word: 'bulk.many-rows', most: maxRows } },
        ]);
        return;
      }
      const read = parseDraft(this.kind, header, row);
      if ('errors' in read) await this.recordErrors(read.errors);
      else drafts.push(read.draft);
      if (drafts.length === batchSize) {
        await this.stageRows(drafts);
        drafts = [];
      }
      if (this.errors >= maxErrors) {
        await this.recordErrors([
          { line: row.line, column: null, refusal: { word: 'bulk.many-errors', most: maxErrors } },
        ]);
        return;
      }
    }
    if (!header) await this.recordErrors([{ line: 1, column: null, refusal: { word: 'bulk.no-header' } }]);
    await this.stageRows(drafts);
  }

  private async stageRows(all: RowDraft[]): Promise<void> {
    const drafts: RowDraft[] = [];
    for (const draft of all) {
      const identity = this.kind.hasKeyColumn
        ? draft.key === null
          ? undefined
          : String(draft.key)
        : `${draft.parentKey} ${draft.values[this.kind.resource.id]}`;
      const first = identity === undefined ? undefined : this.seen.get(identity);
      if (first !== undefined) {
        const column = this.kind.hasKeyColumn ? keyColumn : this.kind.resource.id;
        await this.recordErrors([
          { line: draft.line, column, refusal: { word: 'bulk.repeated-key', line: first } },
        ]);
        continue;
      }
      if (identity !== undefined) this.seen.set(identity, draft.line);
      drafts.push(draft);
    }
    const known = await this.loadStored(drafts);
    const rows: PlannedRow[] = [];
    const faults: PlanError[] = [];
    for (const draft of drafts) {
      const planned = await planRow(this.context, this.kind, draft, known, this.languages);
      if (Array.isArray(planned)) faults.push(...planned);
      else rows.push(planned);
    }
    await this.storeErrors(faults);
    if (rows.length === 0) return;
    await this.context.services.database.query(
      {
        name: 'stage-import',
        text: `insert into bulk_import_row (import_id, line, operation, item_id, parent_id, key, version, name, before, after,
                 body, unique_key, named)
               select $1, x.line, x.operation, x.item_id, x.parent_id, x.key, x.version, x.name, x.before, x.after, x.body,
                 x.unique_key, x.named
               from jsonb_to_recordset($2::jsonb) as x(line int, operation text, item_id uuid, parent_id uuid, key int,
                 version text, name text, before jsonb, after jsonb, body jsonb, unique_key text, named jsonb)`,
      },
      [this.importId, toStoreJson(rows.map((row) => this.sealRow(row)))],
    );
  }

  /** Seals a row for storage in the plan; the sealed values are copied into the settings as they are. */
  private sealRow(row: PlannedRow): PlannedRow {
    const { services, spaceId } = this.context;
    const seal = <T>(body: T): T =>
      body ? (sealBody(services.sealing, spaceId, this.kind.resource, body) as T) : body;
    return { ...row, before: seal(row.before), after: seal(row.after), body: seal(row.body) };
  }

  private async loadStored(drafts: readonly RowDraft[]): Promise<StoredLookup> {
    const { kind } = this;
    const { database } = this.context.services;
    const { spaceId } = this.context;
    const requested = new Map<string, Set<number>>();
    const add = (resource: string, key: number) =>
      requested.set(resource, (requested.get(resource) ?? new Set()).add(key));
    for (const draft of drafts) collectKeys(kind, draft, add);
    const ids = await findIdsByKey(database, spaceId, requested);
    if (kind.hasKeyColumn) {
      const keys = drafts.flatMap(({ key }) => (key === null ? [] : [key]));
      const items = await findItemsByKey(this.context.services, spaceId, kind.resource, keys);
      return { ids, item: ({ key }) => (key === null ? undefined : items.get(String(key))) };
    }
    const attributeKeyOf = ({ parentKey, values }: RowDraft) => ({
      scopeId: ids.get(`${kind.resource.parent} ${parentKey}`),
      name: String(values[kind.resource.id] ?? ''),
    });
    const there = drafts
      .map(attributeKeyOf)
      .filter((one): one is { scopeId: string; name: string } => !!one.scopeId);
    const found: Map<string, StoredItem> = await findAttributes(database, spaceId, there);
    return {
      ids,
      item: (draft) => found.get(`${attributeKeyOf(draft).scopeId} ${attributeKeyOf(draft).name}`),
    };
  }

  /** Finds errors that show only once all rows are known: duplicate names, and deletions of items in use. */
  private async findClashes(): Promise<void> {
    const { resource } = this.kind;
    const { database } = this.context.services;
    const { rows: twice } = await database.query<{ line: number; parent: string | null }>(
      `select line, (
         select max(p.body->>'displayName') from resource p where p.space_id = $2 and p.kind = $4 and p.id = counted.parent_id
       ) as parent from (
         select line, parent_id, count(*) over (partition by parent_id, unique_key) as times from (
           select line, parent_id, unique_key from bulk_import_row where import_id = $1 and operation <> 'delete'
           union all
           select null, r.parent_id, r.unique_key from resource r where r.space_id = $2 and r.kind = $3
             and not exists (select 1 from bulk_import_row b where b.import_id = $1 and b.item_id = r.id)
         ) final where unique_key is not null
       ) counted where times > 1 and line is not null order by line limit ${maxErrors}`,
      [this.importId, this.context.spaceId, resource.name, resource.parent ?? ''],
    );
    await this.recordErrors(
      twice.map(({ line, parent }) => ({
        line,
        column: resource.unique[0]!,
        refusal: parent === null ? { word: 'rule.keyExists' } : { word: 'bulk.key-exists', parent },
      })),
    );
    const { rows: used } = await database.query<{
      line: number;
      kind: string;
      name: string;
      parent: string | null;
    }>(
      `select distinct on (b.line) b.line, f.from_kind as kind, ${referrerNames}
       from bulk_import_row b
       join reference f on f.space_id = $2 and f.to_kind = $3 and f.to_id = b.item_id
       ${referrerJoins}
       where b.import_id = $1 and b.operation = 'delete'
         and not exists (select 1 from bulk_import_row g
           where g.import_id = $1 and g.operation = 'delete' and g.item_id in (f.from_id, r.parent_id))
       order by b.line, name, parent limit ${maxErrors}`,
      [this.importId, this.context.spaceId, resource.name, parentKinds],
    );
    await this.storeErrors(
      used.map(({ line, kind, name, parent }) => {
        const { noun } = resourceNamed(kind);
        const { en, ja } = this.languages;
        const word = parent === null ? 'problem.user' : 'problem.user-of';
        return {
          line,
          column_name: deleteColumn,
          en: en('bulk.in-use', { user: en(word, { noun: noun.en[0], name, parent }) }),
          ja: ja('bulk.in-use', { user: ja(word, { noun: noun.ja, name, parent }) }),
        };
      }),
    );
  }

  private async recordErrors(errors: readonly RowError[]): Promise<void> {
    await this.storeErrors(errors.map((error) => toPlanError(error, this.languages)));
  }

  private async storeErrors(faults: readonly PlanError[]): Promise<void> {
    if (faults.length === 0) return;
    const numbered = faults.map((fault, at) => ({ ...fault, position: this.errors + at }));
    this.errors += faults.length;
    await this.context.services.database.query(
      `insert into bulk_import_error (import_id, position, line, column_name, en, ja)
       select $1, x.position, x.line, x.column_name, x.en, x.ja
       from jsonb_to_recordset($2::jsonb) as x(position int, line int, column_name text, en text, ja text)`,
      [this.importId, toStoreJson(numbered)],
    );
  }
}
