// Loads an item's detail view: fields, explanation of its state, and related lists.

import type { DecisionLog } from '@yagura/core/alerthub/decision-log';
import { explainDecisions } from '@yagura/core/alerthub/engine/explain/explain-decisions';
import { formatDateTimeSeconds } from '@yagura/core/format/date-time';
import { settleInChunks } from '@yagura/core/http/chunks';
import type { Transport } from '@yagura/core/http/transport';
import type { CallRecord } from '@yagura/core/pigeon/result';
import type { PathParams } from '@yagura/core/resource/client';
import type { FieldMeta } from '@yagura/core/resource/field';
import { pathParameters } from '@yagura/core/resource/path';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { stringify } from 'yaml';
import { callLines } from '../../pigeon/call-lines.ts';
import { referenceNames } from '../../resource/meta/reference-names.ts';
import { resolveId } from '../../resource/meta/resolve-id.ts';
import { resourceClient, resourceNamed } from '../../resource/meta/resource-client.ts';
import { resources } from '../../resource/meta/resources.ts';
import type { Row } from '../../resource/meta/row.ts';
import {
  labelOf,
  nameReferences,
  type Presenter,
  presentValue,
} from '../../resource/output/present-value.ts';
import { cleanLine } from '../../terminal/clean.ts';
import { type AppContext, canList, nounFor } from '../state/app-context.ts';
import { textLines } from '../state/detail-lines.ts';
import { itemTitle } from '../state/item-title.ts';
import { childPathParams } from '../state/resource-actions.ts';
import type { Detail, DetailLine, ViewTarget } from '../state/state.ts';
import { appendSection, type DetailSection } from './detail-section.ts';
import { loadPreviewRows } from './load-list.ts';

/** Rows shown of each related list. */
const previewLimit = 5;

interface LoadedItem {
  type: 'sheet';
  title: string;
  id?: string;
  detail: Detail;
  row: Row;
}

export async function loadItem(
  transport: Transport,
  context: AppContext,
  presenter: Presenter,
  target: Extract<ViewTarget, { kind: 'item' }>,
  known: Row | undefined,
  signal: AbortSignal,
): Promise<LoadedItem> {
  const meta = resourceNamed(target.resource);
  const { params } = target;
  // A typed name is resolved to an id.
  const id =
    target.id === undefined ? undefined : await resolveId(meta, target.id, transport, params, signal);
  const row = await loadRow(transport, meta, params, id, known, signal);
  // The calls of a result are shown as their scripts.
  const calls = meta.name === 'result' ? callSection((row.calls ?? []) as CallRecord[], context) : [];
  const fields = detailFields(meta, row).filter((field) => calls.length === 0 || field !== 'calls');
  const below = childPathParams(meta, params, id);
  const [names, why, ...sections] = await Promise.all([
    referenceNames([row], meta.fields, fields, transport, signal),
    meta.calls.why ? loadWhyLines(transport, context, presenter, meta, id!, signal) : [],
    ...(await loadSections(transport, context, meta, id, below, signal)),
  ]);
  const named = { ...presenter, names };
  let detail: Detail = {
    lines: [...fields.flatMap((field) => fieldLines(meta, field, row, named, below)), ...calls, ...why],
    tables: [],
  };
  const now = presenter.now();
  for (const section of sections) detail = appendSection(detail, section, presenter, now);
  const title = itemTitle(context, meta, row, id);
  return { type: 'sheet', title, row, detail, ...(id === undefined ? {} : { id }) };
}

async function loadRow(
  transport: Transport,
  meta: ResourceMeta,
  pathParams: PathParams,
  id: string | undefined,
  known: Row | undefined,
  signal: AbortSignal,
): Promise<Row> {
  const client = resourceClient(meta, transport);
  if (meta.verbs.includes('show')) return client.show(id, pathParams, signal);
  if (!meta.filterable.includes(meta.id)) return known ?? {};
  const { items } = await client.list(
    { limit: 1, filter: `${meta.id} eq ${JSON.stringify(id)}` },
    pathParams,
    signal,
  );
  return items[0] ?? known ?? {};
}

/** The fields of the console's detail view, then the remaining ones. */
function detailFields(meta: ResourceMeta, row: Row): string[] {
  const rest = Object.keys(meta.fields).filter((name) => name !== meta.id);
  return [...new Set([meta.title, ...meta.detail, ...rest])].filter(
    (field) => field !== meta.id && row[field] !== undefined,
  );
}

function fieldLines(
  meta: ResourceMeta,
  field: string,
  row: Row,
  presenter: Presenter,
  pathParams: PathParams,
): DetailLine[] {
  const fieldMeta = meta.fields[field];
  const value = row[field];
  const label = cleanLine(labelOf(field, presenter.t, meta.id));
  const long = multilineText(nameReferences(value, fieldMeta, presenter.names), fieldMeta);
  if (long !== undefined) {
    return [{ key: field, depth: 0, text: '', label }, ...textLines(long, field, 1)];
  }
  const { text, style } = presentValue(value, fieldMeta, presenter);
  const link = referenceTarget(value, fieldMeta, row, pathParams);
  return [
    {
      key: field,
      depth: 0,
      label,
      text,
      ...(style ? { style } : {}),
      ...(link ? { link, title: text } : {}),
    },
  ];
}

/** Multi-line text and nested values are shown below their label. */
function multilineText(value: unknown, meta: FieldMeta | undefined): string | undefined {
  if (typeof value === 'string') return value.includes('\n') ? value : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  const flat = (part: unknown) => part === null || typeof part !== 'object';
  if (Array.isArray(value)) return value.every(flat) ? undefined : stringify(value);
  const parts = Object.values(value);
  if (parts.length === 0) return undefined;
  return meta?.kind === 'object' && parts.length <= 3 && parts.every(flat) ? undefined : stringify(value);
}

/** The item that a field references, when its path parameters are known. */
function referenceTarget(
  value: unknown,
  meta: FieldMeta | undefined,
  row: Row,
  pathParams: PathParams,
): ViewTarget | undefined {
  if (meta?.kind !== 'reference' || !meta.resource || typeof value !== 'string') return undefined;
  const resource = meta.resourceBy ? String(row[meta.resourceBy] ?? meta.resource) : meta.resource;
  const entry = resources.find(({ name }) => name === resource);
  if (!entry?.verbs.includes('show')) return undefined;
  const targetParams: PathParams = {};
  for (const parameter of pathParameters(entry.path)) {
    const id =
      pathParams[parameter] ?? (typeof row[parameter] === 'string' ? String(row[parameter]) : undefined);
    if (id === undefined) return undefined;
    targetParams[parameter] = id;
  }
  return { kind: 'item', resource, params: targetParams, id: value };
}

/** The item's child lists, and the lists whose rows reference it. */
async function loadSections(
  transport: Transport,
  context: AppContext,
  meta: ResourceMeta,
  id: string | undefined,
  pathParams: PathParams,
  signal: AbortSignal,
): Promise<DetailSection[]> {
  if (id === undefined) return [];
  const related = resources.flatMap(
    (other): { meta: ResourceMeta; params: PathParams; filter?: string }[] => {
      if (!canList(context, other) || other.singleton) return [];
      const parameters = pathParameters(other.path);
      if (parameters.at(-1) === meta.id)
        return parameters.every((name) => pathParams[name]) ? [{ meta: other, params: pathParams }] : [];
      if (parameters.length > 0 || other === meta) return [];
      const field = other.filterable.find(
        (name) => other.fields[name]?.kind === 'reference' && other.fields[name]?.resource === meta.name,
      );
      return field ? [{ meta: other, params: {}, filter: `${field} eq ${JSON.stringify(id)}` }] : [];
    },
  );
  const found = await settleInChunks(
    related,
    async ({ meta: other, params: there, filter }): Promise<DetailSection> => {
      const part = await loadPreviewRows(
        transport,
        other,
        { limit: previewLimit, ...(filter ? { filter } : {}) },
        there,
        signal,
      );
      const parameters = pathParameters(other.path);
      const own = Object.fromEntries(parameters.map((name) => [name, there[name]]));
      const title = nounFor(context, other.name, 1);
      return { key: other.name, title, meta: other, params: own, ...(filter ? { filter } : {}), ...part };
    },
    { signal },
  );
  // A list that cannot be loaded does not hide the item.
  return found.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

function callSection(calls: readonly CallRecord[], { t }: AppContext): DetailLine[] {
  return [
    { key: 'calls:gap', depth: 0, text: '' },
    { key: 'calls', depth: 0, text: t('pigeon.timeline'), style: 'bold' },
    ...(calls.length === 0 ? [{ key: 'calls:none', depth: 1, text: t('pigeon.no-calls') }] : []),
    ...callLines(calls, t).map(
      ({ key, depth, text }): DetailLine => ({
        key: `calls:${key}`,
        depth: depth + 1,
        text: cleanLine(text),
      }),
    ),
  ];
}

/** What the message caused, and which actions it did not trigger. */
async function loadWhyLines(
  transport: Transport,
  context: AppContext,
  presenter: Presenter,
  meta: ResourceMeta,
  id: string,
  signal: AbortSignal,
): Promise<DetailLine[]> {
  const why = await resourceClient(meta, transport).call<DecisionLog>('why', {
    id,
    signal,
  });
  const lines = explainDecisions(why, context.t).map(({ depth, tone, text, at, link }, index): DetailLine => {
    const time = at === undefined ? '' : `  ${formatDateTimeSeconds(at, presenter)}`;
    const to = link && whyTarget(link);
    return {
      key: `why:${index}`,
      depth: depth + 1,
      text: cleanLine(text + time),
      ...(tone === 'neutral' ? {} : { style: tone }),
      ...(to ? { link: to } : {}),
    };
  });
  return [
    { key: 'why:gap', depth: 0, text: '' },
    { key: 'why', depth: 0, text: context.t('tui.section.why'), style: 'bold' },
    ...lines,
  ];
}

function whyTarget({
  resource,
  id,
  scopeId,
}: {
  resource: string;
  id: string;
  scopeId?: string;
}): ViewTarget | undefined {
  const entry = resources.find(({ name }) => name === resource);
  if (!entry) return undefined;
  const parameters = pathParameters(entry.path);
  if (parameters.length === 0) return { kind: 'item', resource, params: {}, id };
  return scopeId && parameters.length === 1 ? { kind: 'item', resource, params: { scopeId }, id } : undefined;
}
