// The sheet of one item: its fields, why it came to this, and what belongs to it or names it.
import { explainWhy } from '@yagura/core/alerthub/decide/explain';
import type { Why } from '@yagura/core/alerthub/why';
import { formatDateTimeSeconds } from '@yagura/core/format/date-time';
import { settleInChunks } from '@yagura/core/http/chunks';
import type { Transport } from '@yagura/core/http/transport';
import type { PathParams } from '@yagura/core/resource/client';
import type { FieldMeta } from '@yagura/core/resource/field';
import { pathParameters } from '@yagura/core/resource/path';
import { stringify } from 'yaml';
import { catalogue } from '../resource/catalogue.ts';
import type { ResourceMeta, Row } from '../resource/entry.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { referenceNames } from '../resource/names.ts';
import { labelOf, type Presenter, present } from '../resource/present.ts';
import { resolveId } from '../resource/resolve.ts';
import { cleanLine } from '../term/clean.ts';
import { placeBelow } from './actions.ts';
import { fewRows } from './load-list.ts';
import { type Section, withSection } from './sections.ts';
import { textLines } from './sheet-lines.ts';
import type { Detail, DetailLine, Target } from './state.ts';
import { titleOf } from './title-of.ts';
import { type AppContext, mayList, nounFor } from './world.ts';

/** Rows of each list that belongs to the item. */
const few = 5;

interface ItemAnswer {
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
  target: Extract<Target, { kind: 'item' }>,
  known: Row | undefined,
  signal: AbortSignal,
): Promise<ItemAnswer> {
  const meta = entryNamed(target.resource);
  const { params } = target;
  // A name that was typed is looked up.
  const id =
    target.id === undefined ? undefined : await resolveId(meta, target.id, transport, params, signal);
  const row = await rowOf(transport, meta, params, id, known, signal);
  const fields = sheetFields(meta, row);
  const below = placeBelow(meta, params, id);
  const [names, why, ...sections] = await Promise.all([
    referenceNames([row], meta.fields, fields, transport, signal),
    meta.name === 'message' ? whyLines(transport, context, presenter, id!, signal) : [],
    ...(await sectionsOf(transport, context, meta, id, below, signal)),
  ]);
  const named = { ...presenter, names };
  let detail: Detail = {
    lines: [...fields.flatMap((field) => fieldLines(meta, field, row, named, below)), ...why],
    tables: [],
  };
  const now = Date.now();
  for (const section of sections) detail = withSection(detail, section, presenter, now);
  const title = titleOf(context, meta, row, id);
  return { type: 'sheet', title, row, detail, ...(id === undefined ? {} : { id }) };
}

async function rowOf(
  transport: Transport,
  meta: ResourceMeta,
  pathParams: PathParams,
  id: string | undefined,
  known: Row | undefined,
  signal: AbortSignal,
): Promise<Row> {
  const client = entryClient(meta, transport);
  if (meta.verbs.includes('show')) return client.show(id, pathParams, signal);
  if (!meta.filterable.includes(meta.id)) return known ?? {};
  const { items } = await client.list(
    { limit: 1, filter: `${meta.id} eq ${JSON.stringify(id)}` },
    pathParams,
    signal,
  );
  return items[0] ?? known ?? {};
}

/** Like the info sheet of the console, then whatever else the item has. */
function sheetFields(meta: ResourceMeta, row: Row): string[] {
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
  const long = longForm(value, fieldMeta);
  if (long !== undefined) {
    return [{ key: field, depth: 0, text: '', label }, ...textLines(long, field, 1)];
  }
  const { text, style } = present(value, fieldMeta, presenter);
  const link = linkOf(value, fieldMeta, row, pathParams);
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

/** Text of several lines, and values with parts, stand below their label. */
function longForm(value: unknown, meta: FieldMeta | undefined): string | undefined {
  if (typeof value === 'string') return value.includes('\n') ? value : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  const flat = (part: unknown) => part === null || typeof part !== 'object';
  if (Array.isArray(value)) return value.every(flat) ? undefined : stringify(value);
  const parts = Object.values(value);
  if (parts.length === 0) return undefined;
  return meta?.kind === 'object' && parts.length <= 3 && parts.every(flat) ? undefined : stringify(value);
}

/** The thing that a field names, where it is known in what it lies. */
function linkOf(
  value: unknown,
  meta: FieldMeta | undefined,
  row: Row,
  pathParams: PathParams,
): Target | undefined {
  if (meta?.kind !== 'reference' || !meta.resource || typeof value !== 'string') return undefined;
  const resource = meta.resourceBy ? String(row[meta.resourceBy] ?? meta.resource) : meta.resource;
  const entry = catalogue.find(({ name }) => name === resource);
  if (!entry?.verbs.includes('show')) return undefined;
  const around: PathParams = {};
  for (const parameter of pathParameters(entry.path)) {
    const id =
      pathParams[parameter] ?? (typeof row[parameter] === 'string' ? String(row[parameter]) : undefined);
    if (id === undefined) return undefined;
    around[parameter] = id;
  }
  return { kind: 'item', resource, params: around, id: value };
}

/** Lists that lie below the item, and lists whose rows name it. */
async function sectionsOf(
  transport: Transport,
  context: AppContext,
  meta: ResourceMeta,
  id: string | undefined,
  pathParams: PathParams,
  signal: AbortSignal,
): Promise<Section[]> {
  if (id === undefined) return [];
  const wanted = catalogue.flatMap(
    (other): { entry: ResourceMeta; params: PathParams; filter?: string }[] => {
      if (!mayList(context, other) || other.singleton) return [];
      const parameters = pathParameters(other.path);
      if (parameters.at(-1) === meta.id)
        return parameters.every((name) => pathParams[name]) ? [{ entry: other, params: pathParams }] : [];
      if (parameters.length > 0 || other === meta) return [];
      const field = other.filterable.find(
        (name) => other.fields[name]?.kind === 'reference' && other.fields[name]?.resource === meta.name,
      );
      return field ? [{ entry: other, params: {}, filter: `${field} eq ${JSON.stringify(id)}` }] : [];
    },
  );
  const found = await settleInChunks(
    wanted,
    async ({ entry: other, params: there, filter }): Promise<Section> => {
      const part = await fewRows(
        transport,
        other,
        { limit: few, ...(filter ? { filter } : {}) },
        there,
        signal,
      );
      const parameters = pathParameters(other.path);
      const own = Object.fromEntries(parameters.map((name) => [name, there[name]]));
      const title = nounFor(context, other.name, 1);
      return { key: other.name, title, entry: other, params: own, ...(filter ? { filter } : {}), ...part };
    },
    { signal },
  );
  // A list that cannot be read leaves the item to be looked at.
  return found.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

/** What the message caused, and why not more. */
async function whyLines(
  transport: Transport,
  context: AppContext,
  presenter: Presenter,
  id: string,
  signal: AbortSignal,
): Promise<DetailLine[]> {
  const why = await entryClient(entryNamed('message'), transport).call<Why>('why', { id, signal });
  const lines = explainWhy(why, context.t).map(({ depth, tone, text, at, link }, index): DetailLine => {
    const time = at === undefined ? '' : `  ${formatDateTimeSeconds(at, presenter)}`;
    const to = link && whyLink(link);
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

function whyLink({
  resource,
  id,
  scopeId,
}: {
  resource: string;
  id: string;
  scopeId?: string;
}): Target | undefined {
  const entry = catalogue.find(({ name }) => name === resource);
  if (!entry) return undefined;
  const parameters = pathParameters(entry.path);
  if (parameters.length === 0) return { kind: 'item', resource, params: {}, id };
  return scopeId && parameters.length === 1 ? { kind: 'item', resource, params: { scopeId }, id } : undefined;
}
