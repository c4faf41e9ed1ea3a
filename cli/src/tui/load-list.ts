// The rows of a list, page by page; what was read is read again around the cursor.
import type { Transport } from '@yagura/core/http/transport';
import type { PathParams } from '@yagura/core/resource/client';
import type { ResourceMeta, Row } from '../resource/entry.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { referenceNames } from '../resource/names.ts';
import { plainValue } from '../resource/present.ts';
import { valueAt } from '../term/json.ts';
import { listFields } from './draw-list.ts';
import type { Part, Rows } from './rows.ts';
import type { ListItem, ListView } from './state.ts';
import type { AppContext } from './world.ts';

/** Rows of the first answer: enough for any screen, soon there. */
const first = 200;
/** Rows of the pages that follow, and of a look around the cursor. */
const page = 1000;

interface RowsAnswer {
  type: 'rows';
  rows: Rows;
}

export async function loadRows(
  transport: Transport,
  context: AppContext,
  view: ListView,
  part: Part,
  signal: AbortSignal,
): Promise<RowsAnswer> {
  if (view.target.kind !== 'list') throw new Error('a stream has no pages');
  const { params, filter, sort } = view.target;
  const meta = entryNamed(view.resource);
  const there = view.items?.length ?? 0;
  const { limit, offset } = span(part, there, view.items?.findIndex(({ id }) => id === view.chosen) ?? 0);
  const found = await entryClient(meta, transport).list({ limit, offset, filter, sort }, params, signal);
  return {
    type: 'rows',
    rows: await rowsOf(transport, context, meta, found.items, offset, found.total, signal),
  };
}

/** What to read: the first rows, those after the last, or those that are there, around the cursor when they are many. */
function span(part: Part, there: number, cursor: number): { limit: number; offset: number } {
  // One row is read twice, so that a row that moved up meanwhile is not lost.
  if (part !== 'all') return { limit: page, offset: Math.max(0, part.from - 1) };
  if (there <= page) return { limit: Math.max(first, there), offset: 0 };
  return { limit: page, offset: Math.max(0, Math.min(cursor - page / 2, there - page)) };
}

/** The newest messages, the newest last. */
export async function loadStream(
  transport: Transport,
  context: AppContext,
  signal: AbortSignal,
): Promise<RowsAnswer> {
  const meta = entryNamed('message');
  const found = await entryClient(meta, transport).list({ limit: first, sort: '-receivedAt' }, {}, signal);
  const items = found.items.toReversed();
  return { type: 'rows', rows: await rowsOf(transport, context, meta, items, 0, found.total, signal) };
}

async function rowsOf(
  transport: Transport,
  context: AppContext,
  meta: ResourceMeta,
  rows: readonly Row[],
  offset: number,
  total: number,
  signal: AbortSignal,
): Promise<Rows> {
  const fields = listFields(meta);
  const names = await referenceNames(rows, meta.fields, fields, transport, signal);
  const items = rows.map(
    (row): ListItem => ({
      id: String(row[meta.id]),
      row,
      search: searchText(meta, fields, row, names, context),
    }),
  );
  return { items, offset, total, names };
}

/** What the filter looks through: the columns as they are read, and the id. */
function searchText(
  meta: ResourceMeta,
  fields: readonly string[],
  row: Row,
  names: ReadonlyMap<string, string>,
  { t }: AppContext,
): string {
  const texts = [String(row[meta.id])];
  for (const field of fields) {
    const value = valueAt(row, field);
    const fieldMeta = meta.fields[field];
    if (value === null || value === undefined || fieldMeta?.kind === 'date-time') continue;
    if (fieldMeta?.kind === 'choice') texts.push(String(value), t(`value.${value}`));
    else texts.push(names.get(String(value)) ?? plainValue(value));
  }
  return texts.join(' ').toLowerCase();
}

/** The rows of a page as a few lines below something else. */
export async function fewRows(
  transport: Transport,
  meta: ResourceMeta,
  query: { limit: number; filter?: string; sort?: string },
  pathParams: PathParams,
  signal: AbortSignal,
): Promise<{ rows: Row[]; total: number; names: ReadonlyMap<string, string> }> {
  const found = await entryClient(meta, transport).list(query, pathParams, signal);
  const names = await referenceNames(found.items, meta.fields, listFields(meta), transport, signal);
  return { rows: found.items, total: found.total, names };
}
