// Turns a draft into a row of the plan by what is stored now, or says what is wrong with it.
import { isDeepStrictEqual } from 'node:util';
import type { BulkKind } from '@yagura/core/alerthub/bulk/bulk-kind';
import { deleteColumn, keyColumn } from '@yagura/core/alerthub/bulk/bulk-kind';
import { mapReferences } from '@yagura/core/alerthub/bulk/map-references';
import { Problem } from '@yagura/core/http/problem';
import { invalidParams } from '@yagura/core/rules/reason';
import { refusalText } from '@yagura/core/rules/refusal';
import type { Translate } from '@yagura/core/words/translate';
import type { RequestContext } from '../../resource/context.ts';
import { referencesIn } from '../../resource/references.ts';
import { uniqueKey } from '../../resource/store.ts';
import { behaviourOf } from './behaviour-of.ts';
import { columnOf, type Draft, type RowError } from './draft.ts';
import { inputOf, type StoredItem } from './stored.ts';

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

/** An error as it is kept: in both languages, since whoever reads it may not be who uploaded the file. */
export interface PlanFault {
  line: number;
  column_name: string | null;
  en: string;
  ja: string;
}

export interface Languages {
  en: Translate;
  ja: Translate;
}

export function faultOf({ line, column, refusal }: RowError, { en, ja }: Languages): PlanFault {
  return { line, column_name: column, en: refusalText(refusal, en), ja: refusalText(refusal, ja) };
}

/** What is stored of what a batch of drafts names. */
export interface Known {
  item(draft: Draft): StoredItem | undefined;
  /** Id by resource and key. */
  ids: ReadonlyMap<string, string>;
}

export async function planRow(
  context: RequestContext,
  kind: BulkKind,
  draft: Draft,
  known: Known,
  languages: Languages,
): Promise<PlannedRow | PlanFault[]> {
  const faults: PlanFault[] = [];
  const refuse = (column: string | null, word: string, params = {}) =>
    faults.push(faultOf({ line: draft.line, column, refusal: { word, ...params } }, languages));
  const parentId =
    draft.parentKey === null ? null : known.ids.get(`${kind.resource.parent} ${draft.parentKey}`);
  if (parentId === undefined) refuse(kind.parentField!, 'bulk.no-such-key', { key: draft.parentKey });
  const item = known.item(draft);
  if (item && parentId && item.parentId !== parentId) refuse(kind.parentField!, 'bulk.moved-parent');
  if (draft.isDeleted) {
    if (!item && faults.length === 0) refuse(kind.keyed ? keyColumn : deleteColumn, 'bulk.nothing-to-delete');
    return item && faults.length === 0 ? deletion(kind, draft, item) : faults;
  }
  const given = mapReferences(kind.fields, draft.given, (resource, value, path) => {
    if (typeof value !== 'number') return value;
    const id = known.ids.get(`${resource} ${value}`);
    if (id === undefined) refuse(columnOf(path), 'bulk.no-such-key', { key: value });
    return id;
  });
  if (faults.length > 0) return faults;
  const before = item ? inputOf(kind, item.body) : undefined;
  const whole = { ...before, ...given };
  const checked = await check(context, kind, whole, item?.body, parentId ?? null, languages, draft.line);
  if (Array.isArray(checked)) return checked;
  const after = inputOf(kind, checked);
  const same = before !== undefined && isDeepStrictEqual(before, after);
  return {
    line: draft.line,
    operation: same ? 'unchanged' : item ? 'update' : 'create',
    item_id: kind.keyed ? (item?.id ?? context.services.nextId()) : null,
    parent_id: parentId ?? null,
    key: draft.key,
    version: item?.version ?? null,
    name: nameOf(kind, after),
    before: same ? null : (before ?? null),
    after: same ? null : after,
    body: same ? null : checked,
    unique_key: kind.keyed ? uniqueKey(kind.resource, checked) : null,
    named: referencesIn(kind.resource, checked).map(({ resource, id }) => ({ kind: resource, id })),
  };
}

function deletion(kind: BulkKind, draft: Draft, item: StoredItem): PlannedRow {
  return {
    line: draft.line,
    operation: 'delete',
    item_id: item.id,
    parent_id: item.parentId,
    key: draft.key,
    version: item.version,
    name: nameOf(kind, item.body),
    before: inputOf(kind, item.body),
    after: null,
    body: kind.keyed ? null : item.body,
    unique_key: null,
    named: [],
  };
}

function nameOf(kind: BulkKind, body: Body): string {
  return String(body[kind.resource.title] ?? body[kind.resource.id] ?? '');
}

/** The body to store, checked as a write of one item would be; or what is wrong with it. */
async function check(
  context: RequestContext,
  kind: BulkKind,
  whole: Body,
  stored: Body | undefined,
  parentId: string | null,
  languages: Languages,
  line: number,
): Promise<Body | PlanFault[]> {
  const schema = kind.keyed
    ? kind.resource.input!
    : kind.resource.input!.extend({ [kind.resource.id]: kind.resource.shape.shape[kind.resource.id]! });
  const parsed = schema.safeParse(whole);
  if (!parsed.success) {
    const [en, ja] = [languages.en, languages.ja].map((t) => invalidParams(parsed.error, t, whole));
    return pair(line, en!, ja!);
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
  return pair(line, first.params, 'params' in second ? second.params : first.params);
}

type Params = readonly { name: string; reason: string }[];

/** The same refusals told twice, once in each language. */
function pair(line: number, en: Params, ja: Params): PlanFault[] {
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
