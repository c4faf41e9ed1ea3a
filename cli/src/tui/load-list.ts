// The rows of a list, page by page; what was read is read again around the cursor.
import type { Transport } from '@yagura/core/http/transport';
import type { Place } from '@yagura/core/resource/client';
import type { Entry, Row } from '../resource/entry.ts';
import { entryClient, entryNamed } from '../resource/entry-client.ts';
import { referenceNames } from '../resource/names.ts';
import { plainValue } from '../resource/present.ts';
import { valueAt } from '../term/json.ts';
import { listFields } from './draw-list.ts';
import type { Part, Rows } from './rows.ts';
import type { ListItem, ListView } from './state.ts';
import type { World } from './world.ts';

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
  world: World,
  view: ListView,
  part: Part,
  signal: AbortSignal,
): Promise<RowsAnswer> {
  if (view.target.kind !== 'list') throw new Error('a stream has no pages');
  const { place, filter, sort } = view.target;
  const entry = entryNamed(view.resource);
  const there = view.items?.length ?? 0;
  const { limit, offset } = span(part, there, view.items?.findIndex(({ id }) => id === view.chosen) ?? 0);
  const found = await entryClient(entry, transport).list({ limit, offset, filter, sort }, place, signal);
  return {
    type: 'rows',
    rows: await rowsOf(transport, world, entry, found.items, offset, found.total, signal),
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
  world: World,
  signal: AbortSignal,
): Promise<RowsAnswer> {
  const entry = entryNamed('message');
  const found = await entryClient(entry, transport).list({ limit: first, sort: '-receivedAt' }, {}, signal);
  const items = found.items.toReversed();
  return { type: 'rows', rows: await rowsOf(transport, world, entry, items, 0, found.total, signal) };
}

async function rowsOf(
  transport: Transport,
  world: World,
  entry: Entry,
  rows: readonly Row[],
  offset: number,
  total: number,
  signal: AbortSignal,
): Promise<Rows> {
  const fields = listFields(entry);
  const names = await referenceNames(rows, entry.fields, fields, transport, signal);
  const items = rows.map(
    (row): ListItem => ({
      id: String(row[entry.id]),
      row,
      search: searchText(entry, fields, row, names, world),
    }),
  );
  return { items, offset, total, names };
}

/** What the filter looks through: the columns as they are read, and the id. */
function searchText(
  entry: Entry,
  fields: readonly string[],
  row: Row,
  names: ReadonlyMap<string, string>,
  { t }: World,
): string {
  const texts = [String(row[entry.id])];
  for (const field of fields) {
    const value = valueAt(row, field);
    const facts = entry.fields[field];
    if (value === null || value === undefined || facts?.kind === 'date-time') continue;
    if (facts?.kind === 'choice') texts.push(String(value), t(`value.${value}`));
    else texts.push(names.get(String(value)) ?? plainValue(value));
  }
  return texts.join(' ').toLowerCase();
}

/** The rows of a page as a few lines below something else. */
export async function fewRows(
  transport: Transport,
  entry: Entry,
  query: { limit: number; filter?: string; sort?: string },
  place: Place,
  signal: AbortSignal,
): Promise<{ rows: Row[]; total: number; names: ReadonlyMap<string, string> }> {
  const found = await entryClient(entry, transport).list(query, place, signal);
  const names = await referenceNames(found.items, entry.fields, listFields(entry), transport, signal);
  return { rows: found.items, total: found.total, names };
}
