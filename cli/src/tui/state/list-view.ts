// List rows and cursor: loading, filtering and marking without moving the row under the cursor.
import type { ListItem, ListView } from './state.ts';

/** Maximum number of rows kept of a stream. */
export const maxStreamRows = 2000;

/** The range to load: the current rows, or rows from an offset. */
export type LoadRange = 'all' | { from: number };

/** Maximum number of rows loaded on the way to the last one. */
export const maxLoadedRows = 20_000;

/** Received rows, from an offset in the whole list. */
export interface RowPage {
  items: readonly ListItem[];
  offset: number;
  total: number;
  names: ReadonlyMap<string, string>;
}

/** Merges newly loaded or reloaded rows into the list. */
export function withRows(view: ListView, rows: RowPage, height: number): ListView {
  const names = rows.names.size > 0 ? new Map([...view.names, ...rows.names]) : view.names;
  const items = mergeRows(view.items ?? [], rows);
  const next = refilter({ ...view, names, items, total: rows.total }, height);
  if (!view.loadingAll) return next;
  return {
    ...moveCursor(next, next.visibleItems.length - 1, height),
    loadingAll: items.length < Math.min(rows.total, maxLoadedRows),
  };
}

/** Merges a page into the loaded rows. Rows that moved into the page are removed from their old position. */
function mergeRows(before: readonly ListItem[], { items, offset, total }: RowPage): readonly ListItem[] {
  const end = offset + items.length;
  // A first page that covers the whole list replaces it.
  if (offset === 0 && (end >= total || before.length <= end)) return items;
  const fresh = new Set(items.map(({ id }) => id));
  const withoutFresh = (part: readonly ListItem[]) => part.filter(({ id }) => !fresh.has(id));
  return [...withoutFresh(before.slice(0, offset)), ...items, ...withoutFresh(before.slice(end))].slice(
    0,
    Math.max(total, end),
  );
}

/** Appends the newest rows to the stream; a paused stream holds them back. */
export function withNewest(view: ListView, rows: RowPage, height: number): ListView {
  const known = new Set([...(view.items ?? []), ...view.buffered].map(({ id }) => id));
  const fresh = rows.items.filter(({ id }) => !known.has(id));
  const names = new Map([...view.names, ...rows.names]);
  const read = { ...view, names, total: rows.total, items: view.items ?? [] };
  if (view.paused) return { ...read, buffered: [...view.buffered, ...fresh].slice(-maxStreamRows) };
  return moveToEnd(
    refilter({ ...read, items: [...read.items, ...fresh].slice(-maxStreamRows) }, height),
    height,
  );
}

/** Resumes the stream and appends the held rows. */
export function resumeStream(view: ListView, height: number): ListView {
  const items = [...(view.items ?? []), ...view.buffered].slice(-maxStreamRows);
  return moveToEnd(refilter({ ...view, items, buffered: [], paused: false }, height), height);
}

function moveToEnd(view: ListView, height: number): ListView {
  return { ...moveCursor(view, view.visibleItems.length - 1, height), selectedId: undefined };
}

/** Applies another local filter. The row under the cursor keeps its position when it matches. */
export function withFilter(view: ListView, filter: string, height: number): ListView {
  return refilter({ ...view, filter }, height);
}

/** Applies the filter and keeps the cursor on its row, at the same screen line. */
function refilter(view: ListView, height: number): ListView {
  const visibleItems = filterItems(view.items ?? [], view.filter);
  const line = view.cursor - view.scrollTop;
  const found =
    view.selectedId === undefined ? -1 : visibleItems.findIndex(({ id }) => id === view.selectedId);
  const marks = view.marks.size > 0 ? existingMarks(view) : view.marks;
  if (found >= 0)
    return scrollToCursor({ ...view, visibleItems, marks, cursor: found, scrollTop: found - line }, height);
  if (view.selectedId === undefined && view.target.kind === 'list')
    return scrollToCursor({ ...view, visibleItems, marks, cursor: 0, scrollTop: 0 }, height);
  // The row is gone: the cursor moves to the row that took its position.
  const cursor = Math.max(0, Math.min(view.cursor, visibleItems.length - 1));
  const selectedId = view.selectedId === undefined ? undefined : visibleItems[cursor]?.id;
  return scrollToCursor(
    { ...view, visibleItems, marks, cursor, selectedId, scrollTop: cursor - line },
    height,
  );
}

function existingMarks({ marks, items }: ListView): ReadonlySet<string> {
  const ids = new Set(items?.map(({ id }) => id));
  return new Set([...marks].filter((id) => ids.has(id)));
}

function filterItems(items: readonly ListItem[], filter: string): readonly ListItem[] {
  const words = filter
    .toLowerCase()
    .split(/[\s\u3000]+/)
    .filter(Boolean);
  if (words.length === 0) return items;
  return items.filter(({ searchText }) => words.every((word) => searchText.includes(word)));
}

/** Moves the cursor to another row. */
export function moveCursor(view: ListView, index: number, height: number): ListView {
  const cursor = Math.max(0, Math.min(index, view.visibleItems.length - 1));
  return scrollToCursor(
    { ...view, cursor, selectedId: view.visibleItems[cursor]?.id, loadingAll: false },
    height,
  );
}

/** Scrolls so that the cursor is visible with a margin of rows around it. */
export function scrollToCursor(view: ListView, height: number): ListView {
  const { cursor, visibleItems } = view;
  const margin = Math.min(2, Math.floor((height - 1) / 2));
  const lowest = Math.max(0, visibleItems.length - height);
  const from = Math.max(0, cursor + margin - height + 1);
  const to = Math.max(0, cursor - margin);
  const top = Math.min(Math.max(view.scrollTop, from), to);
  return { ...view, scrollTop: Math.max(0, Math.min(top, lowest)) };
}

/** Scrolls by wheel; the cursor moves only when it would leave the screen. */
export function scrollList(view: ListView, by: number, height: number): ListView {
  const scrollTop = Math.max(0, Math.min(view.scrollTop + by, view.visibleItems.length - height));
  if (scrollTop === view.scrollTop) return view;
  const cursor = Math.max(scrollTop, Math.min(view.cursor, scrollTop + height - 1));
  return { ...view, scrollTop, cursor, selectedId: view.visibleItems[cursor]?.id };
}

/** The marked rows in list order, or the one under the cursor. */
export function selectedItems(view: ListView): readonly ListItem[] {
  if (view.marks.size > 0) return (view.items ?? []).filter(({ id }) => view.marks.has(id));
  const one = view.visibleItems[view.cursor];
  return one ? [one] : [];
}
