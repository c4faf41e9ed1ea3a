// The rows of a list under the cursor: they come and go, are filtered and marked, and none jumps while somebody looks at it.
import type { ListItem, ListView } from './state.ts';

/** Rows of a stream that are kept at most. */
export const streamLength = 2000;

/** What is shown, or the rows of a list from a place on. */
export type Part = 'all' | { from: number };

/** Rows that are read on the way to the last one. */
export const maxRead = 20_000;

/** Rows that arrived, from a place of the whole list on. */
export interface Rows {
  items: readonly ListItem[];
  offset: number;
  total: number;
  names: ReadonlyMap<string, string>;
}

/** The list with rows that were read again or for the first time. */
export function withRows(view: ListView, rows: Rows, height: number): ListView {
  const names = rows.names.size > 0 ? new Map([...view.names, ...rows.names]) : view.names;
  const items = merged(view.items ?? [], rows);
  const next = settled({ ...view, names, items, total: rows.total }, height);
  if (!view.toEnd) return next;
  return {
    ...movedTo(next, next.shown.length - 1, height),
    toEnd: items.length < Math.min(rows.total, maxRead),
  };
}

/** A page laid over what is there. What the page shows elsewhere now is taken from where it was. */
function merged(before: readonly ListItem[], { items, offset, total }: Rows): readonly ListItem[] {
  const end = offset + items.length;
  // A first page that is the whole list is the list.
  if (offset === 0 && (end >= total || before.length <= end)) return items;
  const fresh = new Set(items.map(({ id }) => id));
  const kept = (part: readonly ListItem[]) => part.filter(({ id }) => !fresh.has(id));
  return [...kept(before.slice(0, offset)), ...items, ...kept(before.slice(end))].slice(
    0,
    Math.max(total, end),
  );
}

/** The stream with the newest rows; a stream that stands still keeps them back. */
export function withNewest(view: ListView, rows: Rows, height: number): ListView {
  const known = new Set([...(view.items ?? []), ...view.held].map(({ id }) => id));
  const fresh = rows.items.filter(({ id }) => !known.has(id));
  const names = new Map([...view.names, ...rows.names]);
  const read = { ...view, names, total: rows.total, items: view.items ?? [] };
  if (view.paused) return { ...read, held: [...view.held, ...fresh].slice(-streamLength) };
  return atEnd(settled({ ...read, items: [...read.items, ...fresh].slice(-streamLength) }, height), height);
}

/** The stream goes on, with what waited. */
export function resumed(view: ListView, height: number): ListView {
  const items = [...(view.items ?? []), ...view.held].slice(-streamLength);
  return atEnd(settled({ ...view, items, held: [], paused: false }, height), height);
}

function atEnd(view: ListView, height: number): ListView {
  return { ...movedTo(view, view.shown.length - 1, height), chosen: undefined };
}

/** The list with another local filter. The row under the cursor stays when it passes. */
export function withFilter(view: ListView, filter: string, height: number): ListView {
  return settled({ ...view, filter }, height);
}

/** The rows that pass the filter, and the cursor on the row where it was, on the same line of the screen. */
function settled(view: ListView, height: number): ListView {
  const shown = passing(view.items ?? [], view.filter);
  const line = view.cursor - view.top;
  const found = view.chosen === undefined ? -1 : shown.findIndex(({ id }) => id === view.chosen);
  const marks = view.marks.size > 0 ? stillThere(view) : view.marks;
  if (found >= 0) return scrolled({ ...view, shown, marks, cursor: found, top: found - line }, height);
  if (view.chosen === undefined && view.target.kind === 'list')
    return scrolled({ ...view, shown, marks, cursor: 0, top: 0 }, height);
  // The row is gone: the one that took its place is under the cursor.
  const cursor = Math.max(0, Math.min(view.cursor, shown.length - 1));
  const chosen = view.chosen === undefined ? undefined : shown[cursor]?.id;
  return scrolled({ ...view, shown, marks, cursor, chosen, top: cursor - line }, height);
}

function stillThere({ marks, items }: ListView): ReadonlySet<string> {
  const ids = new Set(items?.map(({ id }) => id));
  return new Set([...marks].filter((id) => ids.has(id)));
}

function passing(items: readonly ListItem[], filter: string): readonly ListItem[] {
  const words = filter
    .toLowerCase()
    .split(/[\s\u3000]+/)
    .filter(Boolean);
  if (words.length === 0) return items;
  return items.filter(({ search }) => words.every((word) => search.includes(word)));
}

/** The list with the cursor on another row. */
export function movedTo(view: ListView, index: number, height: number): ListView {
  const cursor = Math.max(0, Math.min(index, view.shown.length - 1));
  return scrolled({ ...view, cursor, chosen: view.shown[cursor]?.id, toEnd: false }, height);
}

/** The part of the list that is shown has the cursor in it, with some rows around it. */
export function scrolled(view: ListView, height: number): ListView {
  const { cursor, shown } = view;
  const margin = Math.min(2, Math.floor((height - 1) / 2));
  const lowest = Math.max(0, shown.length - height);
  const from = Math.max(0, cursor + margin - height + 1);
  const to = Math.max(0, cursor - margin);
  const top = Math.min(Math.max(view.top, from), to);
  return { ...view, top: Math.max(0, Math.min(top, lowest)) };
}

/** The wheel turns the page; the cursor is taken along only where it would leave the screen. */
export function turned(view: ListView, by: number, height: number): ListView {
  const top = Math.max(0, Math.min(view.top + by, view.shown.length - height));
  if (top === view.top) return view;
  const cursor = Math.max(top, Math.min(view.cursor, top + height - 1));
  return { ...view, top, cursor, chosen: view.shown[cursor]?.id };
}

/** The marked rows in their order, else the one under the cursor. */
export function subjectsOf(view: ListView): readonly ListItem[] {
  if (view.marks.size > 0) return (view.items ?? []).filter(({ id }) => view.marks.has(id));
  const one = view.shown[view.cursor];
  return one ? [one] : [];
}
