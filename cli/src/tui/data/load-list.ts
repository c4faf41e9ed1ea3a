// Loads the rows of a list page by page; a refresh reloads the rows around the cursor.

import type { Transport } from '@yagura/core/http/transport';
import { dataKey } from '@yagura/core/i18n/message-key';
import type { PathParams } from '@yagura/core/resource/client';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { valueAt } from '../../command-line/select-fields.ts';
import { referenceNames } from '../../resource/meta/reference-names.ts';
import { resourceClient, resourceNamed } from '../../resource/meta/resource-client.ts';
import type { Row } from '../../resource/meta/row.ts';
import { plainValue } from '../../resource/output/present-value.ts';
import type { AppContext } from '../state/app-context.ts';
import type { LoadRange, RowPage } from '../state/list-view.ts';
import type { ListItem, ListView } from '../state/state.ts';
import { listFields } from '../views/render-list.ts';

/** Page size of the first request: enough for any screen, and fast. */
const firstPageSize = 200;
/** Page size of further requests and refreshes. */
const pageSize = 1000;

interface LoadedRows {
  type: 'rows';
  rows: RowPage;
}

export async function loadRows(
  transport: Transport,
  context: AppContext,
  view: ListView,
  range: LoadRange,
  signal: AbortSignal,
): Promise<LoadedRows> {
  if (view.target.kind !== 'list') throw new Error('a stream has no pages');
  const { params, filter, sort } = view.target;
  const meta = resourceNamed(view.resource);
  const loadedCount = view.items?.length ?? 0;
  const { limit, offset } = pageRange(
    range,
    loadedCount,
    view.items?.findIndex(({ id }) => id === view.selectedId) ?? 0,
  );
  const found = await resourceClient(meta, transport).list({ limit, offset, filter, sort }, params, signal);
  return {
    type: 'rows',
    rows: await toRowPage(transport, context, meta, found.items, offset, found.total, signal),
  };
}

/**
 * The range to load: the first rows, those after the last loaded row, or the loaded rows (around the cursor
 * when there are many).
 */
function pageRange(range: LoadRange, loadedCount: number, cursor: number): { limit: number; offset: number } {
  // Overlaps by one row, so that a row that moved up meanwhile is not skipped.
  if (range !== 'all') return { limit: pageSize, offset: Math.max(0, range.from - 1) };
  if (loadedCount <= pageSize) return { limit: Math.max(firstPageSize, loadedCount), offset: 0 };
  return { limit: pageSize, offset: Math.max(0, Math.min(cursor - pageSize / 2, loadedCount - pageSize)) };
}

/** The latest messages, newest last. */
export async function loadStream(
  transport: Transport,
  context: AppContext,
  signal: AbortSignal,
): Promise<LoadedRows> {
  const meta = resourceNamed('message');
  const found = await resourceClient(meta, transport).list(
    { limit: firstPageSize, sort: '-receivedAt' },
    {},
    signal,
  );
  const items = found.items.toReversed();
  return { type: 'rows', rows: await toRowPage(transport, context, meta, items, 0, found.total, signal) };
}

async function toRowPage(
  transport: Transport,
  context: AppContext,
  meta: ResourceMeta,
  rows: readonly Row[],
  offset: number,
  total: number,
  signal: AbortSignal,
): Promise<RowPage> {
  const fields = listFields(meta);
  const names = await referenceNames(rows, meta.fields, fields, transport, signal);
  const items = rows.map(
    (row): ListItem => ({
      id: String(row[meta.id]),
      row,
      searchText: buildSearchText(meta, fields, row, names, context),
    }),
  );
  return { items, offset, total, names };
}

/** The text searched by the local filter: the displayed columns and the id. */
function buildSearchText(
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
    if (fieldMeta?.kind === 'choice') texts.push(String(value), t(dataKey(`value.${value}`)));
    else texts.push(names.get(String(value)) ?? plainValue(value));
  }
  return texts.join(' ').toLowerCase();
}

/** The first rows of a list as a section of another view. */
export async function loadPreviewRows(
  transport: Transport,
  meta: ResourceMeta,
  query: { limit: number; filter?: string; sort?: string },
  pathParams: PathParams,
  signal: AbortSignal,
): Promise<{ rows: Row[]; total: number; names: ReadonlyMap<string, string> }> {
  const found = await resourceClient(meta, transport).list(query, pathParams, signal);
  const names = await referenceNames(found.items, meta.fields, listFields(meta), transport, signal);
  return { rows: found.items, total: found.total, names };
}
