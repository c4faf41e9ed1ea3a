// The sheet of one item: its fields, why it came to this, and what belongs to it or names it.
import { explainWhy } from '@yagura/core/alerthub/decide/explain';
import type { Why } from '@yagura/core/alerthub/why';
import { formatDateTimeSeconds } from '@yagura/core/format/date-time';
import { settleInChunks } from '@yagura/core/http/chunks';
import type { Transport } from '@yagura/core/http/transport';
import type { Place } from '@yagura/core/resource/client';
import type { FieldFacts } from '@yagura/core/resource/field';
import { pathParameters } from '@yagura/core/resource/path';
import { stringify } from 'yaml';
import { catalogue } from '../resource/catalogue.ts';
import type { Entry, Row } from '../resource/entry.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { referenceNames } from '../resource/names.ts';
import { labelOf, type Presenter, present } from '../resource/present.ts';
import { resolveId } from '../resource/resolve.ts';
import { cleanLine } from '../term/clean.ts';
import { placeBelow } from './actions.ts';
import { fewRows } from './load-list.ts';
import { type Section, withSection } from './sections.ts';
import { textLines } from './sheet-lines.ts';
import type { Sheet, SheetLine, Target } from './state.ts';
import { titleOf } from './title-of.ts';
import { mayList, nounFor, type World } from './world.ts';

/** Rows of each list that belongs to the item. */
const few = 5;

interface ItemAnswer {
  type: 'sheet';
  title: string;
  id?: string;
  sheet: Sheet;
  row: Row;
}

export async function loadItem(
  transport: Transport,
  world: World,
  presenter: Presenter,
  target: Extract<Target, { kind: 'item' }>,
  known: Row | undefined,
  signal: AbortSignal,
): Promise<ItemAnswer> {
  const entry = entryNamed(target.resource);
  const { place } = target;
  // A name that was typed is looked up.
  const id =
    target.id === undefined ? undefined : await resolveId(entry, target.id, transport, place, signal);
  const row = await rowOf(transport, entry, place, id, known, signal);
  const fields = sheetFields(entry, row);
  const below = placeBelow(entry, place, id);
  const [names, why, ...sections] = await Promise.all([
    referenceNames([row], entry.fields, fields, transport, signal),
    entry.name === 'message' ? whyLines(transport, world, presenter, id!, signal) : [],
    ...(await sectionsOf(transport, world, entry, id, below, signal)),
  ]);
  const named = { ...presenter, names };
  let sheet: Sheet = {
    lines: [...fields.flatMap((field) => fieldLines(entry, field, row, named, below)), ...why],
    tables: [],
  };
  const now = Date.now();
  for (const section of sections) sheet = withSection(sheet, section, presenter, now);
  const title = titleOf(world, entry, row, id);
  return { type: 'sheet', title, row, sheet, ...(id === undefined ? {} : { id }) };
}

async function rowOf(
  transport: Transport,
  entry: Entry,
  place: Place,
  id: string | undefined,
  known: Row | undefined,
  signal: AbortSignal,
): Promise<Row> {
  const client = entryClient(entry, transport);
  if (entry.verbs.includes('show')) return client.show(id, place, signal);
  if (!entry.filterable.includes(entry.id)) return known ?? {};
  const { items } = await client.list(
    { limit: 1, filter: `${entry.id} eq ${JSON.stringify(id)}` },
    place,
    signal,
  );
  return items[0] ?? known ?? {};
}

/** Like the info sheet of the console, then whatever else the item has. */
function sheetFields(entry: Entry, row: Row): string[] {
  const rest = Object.keys(entry.fields).filter((name) => name !== entry.id);
  return [...new Set([entry.title, ...entry.detail, ...rest])].filter(
    (field) => field !== entry.id && row[field] !== undefined,
  );
}

function fieldLines(entry: Entry, field: string, row: Row, presenter: Presenter, place: Place): SheetLine[] {
  const facts = entry.fields[field];
  const value = row[field];
  const label = cleanLine(labelOf(field, presenter.t, entry.id));
  const long = longForm(value, facts);
  if (long !== undefined) {
    return [{ key: field, depth: 0, text: '', label }, ...textLines(long, field, 1)];
  }
  const { text, style } = present(value, facts, presenter);
  const link = linkOf(value, facts, row, place);
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
function longForm(value: unknown, facts: FieldFacts | undefined): string | undefined {
  if (typeof value === 'string') return value.includes('\n') ? value : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  const flat = (part: unknown) => part === null || typeof part !== 'object';
  if (Array.isArray(value)) return value.every(flat) ? undefined : stringify(value);
  const parts = Object.values(value);
  if (parts.length === 0) return undefined;
  return facts?.kind === 'object' && parts.length <= 3 && parts.every(flat) ? undefined : stringify(value);
}

/** The thing that a field names, where it is known in what it lies. */
function linkOf(value: unknown, facts: FieldFacts | undefined, row: Row, place: Place): Target | undefined {
  if (facts?.kind !== 'reference' || !facts.resource || typeof value !== 'string') return undefined;
  const resource = facts.resourceBy ? String(row[facts.resourceBy] ?? facts.resource) : facts.resource;
  const entry = catalogue.find(({ name }) => name === resource);
  if (!entry?.verbs.includes('show')) return undefined;
  const around: Place = {};
  for (const parameter of pathParameters(entry.path)) {
    const id = place[parameter] ?? (typeof row[parameter] === 'string' ? String(row[parameter]) : undefined);
    if (id === undefined) return undefined;
    around[parameter] = id;
  }
  return { kind: 'item', resource, place: around, id: value };
}

/** Lists that lie below the item, and lists whose rows name it. */
async function sectionsOf(
  transport: Transport,
  world: World,
  entry: Entry,
  id: string | undefined,
  place: Place,
  signal: AbortSignal,
): Promise<Section[]> {
  if (id === undefined) return [];
  const wanted = catalogue.flatMap((other): { entry: Entry; place: Place; filter?: string }[] => {
    if (!mayList(world, other) || other.singleton) return [];
    const parameters = pathParameters(other.path);
    if (parameters.at(-1) === entry.id)
      return parameters.every((name) => place[name]) ? [{ entry: other, place }] : [];
    if (parameters.length > 0 || other === entry) return [];
    const field = other.filterable.find(
      (name) => other.fields[name]?.kind === 'reference' && other.fields[name]?.resource === entry.name,
    );
    return field ? [{ entry: other, place: {}, filter: `${field} eq ${JSON.stringify(id)}` }] : [];
  });
  const found = await settleInChunks(
    wanted,
    async ({ entry: other, place: there, filter }): Promise<Section> => {
      const part = await fewRows(
        transport,
        other,
        { limit: few, ...(filter ? { filter } : {}) },
        there,
        signal,
      );
      const parameters = pathParameters(other.path);
      const own = Object.fromEntries(parameters.map((name) => [name, there[name]]));
      const title = nounFor(world, other.name, 1);
      return { key: other.name, title, entry: other, place: own, ...(filter ? { filter } : {}), ...part };
    },
    { signal },
  );
  // A list that cannot be read leaves the item to be looked at.
  return found.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

/** What the message caused, and why not more. */
async function whyLines(
  transport: Transport,
  world: World,
  presenter: Presenter,
  id: string,
  signal: AbortSignal,
): Promise<SheetLine[]> {
  const why = await entryClient(entryNamed('message'), transport).call<Why>('why', { id, signal });
  const lines = explainWhy(why, world.t).map(({ depth, tone, text, at, link }, index): SheetLine => {
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
    { key: 'why', depth: 0, text: world.t('tui.section.why'), style: 'bold' },
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
  if (parameters.length === 0) return { kind: 'item', resource, place: {}, id };
  return scopeId && parameters.length === 1 ? { kind: 'item', resource, place: { scopeId }, id } : undefined;
}
