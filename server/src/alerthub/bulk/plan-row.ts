// Turns a draft into a row of the plan based on the stored data, or returns its errors.

import { isDeepStrictEqual } from 'node:util';
import type { BulkKind } from '@yagura/core/alerthub/bulk/bulk-kind';
import { deleteColumn, keyColumn } from '@yagura/core/alerthub/bulk/bulk-kind';
import { mapReferences } from '@yagura/core/alerthub/bulk/map-references';
import { Problem } from '@yagura/core/http/problem';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';
import { invalidParams } from '@yagura/core/validation/issue-messages';
import { formatViolation } from '@yagura/core/validation/violation';
import { uniqueKey } from '../../resource/item-store.ts';
import { referencesIn } from '../../resource/references.ts';
import { type BulkContext, behaviourOf } from './bulk-behaviours.ts';
import { columnOf, type RowDraft, type RowError } from './row-draft.ts';
import { type StoredItem, toInput } from './stored-items.ts';

type Body = Record<string, unknown>;

export interface PlannedRow {
  line: number;
  operation: 'create' | 'update' | 'delete' | 'unchanged';
  item_id: string | null;
  parent_id: string | null;
  key: number | null;
  version: string | null;
  name: string;
  before: Body | null;
  after: Body | null;
  body: Body | null;
  unique_key: string | null;
  named: { kind: string; id: string }[];
}

/** An error as stored: in both languages, since the reader may not be the user who uploaded the file. */
export interface PlanError {
  line: number;
  column_name: string | null;
  en: string;
  ja: string;
}

export interface BulkTranslators {
  en: Translate;
  ja: Translate;
}

export function toPlanError({ line, column, refusal }: RowError, { en, ja }: BulkTranslators): PlanError {
  return { line, column_name: column, en: formatViolation(refusal, en), ja: formatViolation(refusal, ja) };
}

/** Stored data that a batch of drafts refers to. */
export interface StoredLookup {
  item(draft: RowDraft): StoredItem | undefined;
  /** Id by resource and key. */
  ids: ReadonlyMap<string, string>;
}

/** Items without a key get those after the highest one, so files leave room up to the store's largest integer. */
const maxNewKey = 999_999_999;

export async function planRow(
  context: BulkContext,
  kind: BulkKind,
  draft: RowDraft,
  known: StoredLookup,
  languages: BulkTranslators,
): Promise<PlannedRow | PlanError[]> {
  const faults: PlanError[] = [];
  const refuse = (column: string | null, word: MessageKey, params = {}) =>
    faults.push(toPlanError({ line: draft.line, column, refusal: { word, ...params } }, languages));
  const parentId =
    draft.parentKey === null ? null : known.ids.get(`${kind.resource.parent} ${draft.parentKey}`);
  if (parentId === undefined) refuse(kind.parentField!, 'bulk.no-such-key', { key: draft.parentKey });
  const item = known.item(draft);
  if (item && parentId && item.parentId !== parentId) refuse(kind.parentField!, 'bulk.moved-parent');
  if (!item && draft.key !== null && draft.key > maxNewKey)
    refuse(keyColumn, 'bulk.new-key', { most: maxNewKey });
  if (draft.isDeleted) {
    if (!item && faults.length === 0)
      refuse(kind.hasKeyColumn ? keyColumn : deleteColumn, 'bulk.nothing-to-delete');
    return item && faults.length === 0 ? planDeletion(kind, draft, item) : faults;
  }
  const given = mapReferences(kind.fields, draft.values, (resource, value, path) => {
    if (typeof value !== 'number') return value;
    const id = known.ids.get(`${resource} ${value}`);
    if (id === undefined) refuse(columnOf(path), 'bulk.no-such-key', { key: value });
    return id;
  });
  if (faults.length > 0) return faults;
  const before = item ? toInput(kind, item.body) : undefined;
  const whole = { ...before, ...given };
  const checked = await validateRow(
    context,
    kind,
    whole,
    item?.body,
    parentId ?? null,
    languages,
    draft.line,
  );
  if (Array.isArray(checked)) return checked;
  const after = toInput(kind, checked);
  const same = before !== undefined && isDeepStrictEqual(before, after);
  return {
    line: draft.line,
    operation: same ? 'unchanged' : item ? 'update' : 'create',
    item_id: kind.hasKeyColumn ? (item?.id ?? context.services.nextId()) : null,
    parent_id: parentId ?? null,
    key: draft.key,
    version: item?.version ?? null,
    name: displayNameOf(kind, after),
    before: same ? null : (before ?? null),
    after: same ? null : after,
    body: same ? null : checked,
    unique_key: kind.hasKeyColumn ? uniqueKey(kind.resource, checked) : null,
    named: referencesIn(kind.resource, checked).map(({ resource, id }) => ({ kind: resource, id })),
  };
}

function planDeletion(kind: BulkKind, draft: RowDraft, item: StoredItem): PlannedRow {
  return {
    line: draft.line,
    operation: 'delete',
    item_id: item.id,
    parent_id: item.parentId,
    key: draft.key,
    version: item.version,
    name: displayNameOf(kind, item.body),
    before: toInput(kind, item.body),
    after: null,
    body: kind.hasKeyColumn ? null : item.body,
    unique_key: null,
    named: [],
  };
}

function displayNameOf(kind: BulkKind, body: Body): string {
  return String(body[kind.resource.title] ?? body[kind.resource.id] ?? '');
}

/** Returns the body to store, validated like a write of a single item, or its errors. */
async function validateRow(
  context: BulkContext,
  kind: BulkKind,
  whole: Body,
  stored: Body | undefined,
  parentId: string | null,
  languages: BulkTranslators,
  line: number,
): Promise<Body | PlanError[]> {
  const schema = kind.hasKeyColumn
    ? kind.resource.input!
    : kind.resource.input!.extend({ [kind.resource.id]: kind.resource.shape.shape[kind.resource.id]! });
  const parsed = schema.safeParse(whole);
  if (!parsed.success) {
    const [en, ja] = [languages.en, languages.ja].map((t) => invalidParams(parsed.error, t, whole));
    return mergeMessages(line, en!, ja!);
  }
  const input = parsed.data as Body;
  const prepare = behaviourOf(kind.name).body;
  if (!prepare) return input;
  const params = kind.parentField ? { [kind.parentField]: parentId ?? undefined } : {};
  const told = async (t: Translate): Promise<{ body: Body } | { params: Params }> => {
    try {
      return { body: (await prepare({ ...context, params, t }, input, stored)) as Body };
    } catch (error) {
      if (error instanceof Problem && error.invalidParams.length > 0) return { params: error.invalidParams };
      throw error;
    }
  };
  const first = await told(languages.en);
  if ('body' in first) return first.body;
  const second = await told(languages.ja);
  return mergeMessages(line, first.params, 'params' in second ? second.params : first.params);
}

type Params = readonly { name: string; reason: string }[];

/** Combines the same errors in both languages. */
function mergeMessages(line: number, en: Params, ja: Params): PlanError[] {
  const text = (one: Params[number]) => {
    const inside = one.name.split('.').slice(1).join('.');
    return inside ? `${inside}: ${one.reason}` : one.reason;
  };
  return en.map((one, at) => ({
    line,
    column_name: columnOf(one.name),
    en: text(one),
    ja: text(ja[at] ?? one),
  }));
}
