// What the full-screen view shows, as plain data. All of it changes in one place, the reducer.
import type { Row } from '../resource/entry.ts';
import type { Style } from '../term/style.ts';

export const views = ['scopes', 'messages'] as const;
export type View = (typeof views)[number];

/** What is looked at: a list, or one thing of it. */
export interface Target {
  view: View;
  id?: string;
}

export interface Item {
  id: string;
  row: Row;
  /** Lower-case text that the filter looks through. */
  search: string;
}

export interface List {
  /** Undefined until the first answer. */
  items: readonly Item[] | undefined;
  total: number;
  /** How many there are of a status. */
  counts: Readonly<Record<string, number>>;
  /** Id of the chosen item; the first one when it is gone. */
  chosen: string | undefined;
  filter: string;
}

export interface DetailLine {
  depth: number;
  text: string;
  style?: Style;
  /** Where Enter leads. */
  link?: Target;
}

export interface Detail {
  target: Target & { id: string };
  title: string;
  lines: readonly DetailLine[] | undefined;
  cursor: number;
}

/** Something to be done outside; the serial tells a repeated one from the one before. */
export interface Request {
  act: 'open' | 'reset';
  target: Target;
  serial: number;
}

export interface State {
  view: View;
  lists: Record<View, List>;
  /** Details that were entered, the innermost last. */
  trail: readonly Detail[];
  /** The filter is being typed. */
  typing: boolean;
  help: boolean;
  /** A dangerous thing that waits for a yes. */
  asking: { request: Omit<Request, 'serial'>; name: string } | undefined;
  request: Request | undefined;
  /** Grows with every wish to load again. */
  reloads: number;
  /** One sentence about what was done last. */
  notice: { text: string; style: Style } | undefined;
  /** Last answer for what is shown, and since when there is none; epoch milliseconds. */
  seenAt: number | undefined;
  lost: string | undefined;
  size: { columns: number; rows: number };
  now: number;
  quit: boolean;
}

export function initialState(size: State['size'], now: number): State {
  const list: List = { items: undefined, total: 0, counts: {}, chosen: undefined, filter: '' };
  return {
    view: 'scopes',
    lists: { scopes: list, messages: list },
    trail: [],
    typing: false,
    help: false,
    asking: undefined,
    request: undefined,
    reloads: 0,
    notice: undefined,
    seenAt: undefined,
    lost: undefined,
    size,
    now,
    quit: false,
  };
}

/** What is looked at now. */
export function targetOf(state: State): Target {
  return state.trail.at(-1)?.target ?? { view: state.view };
}

export function targetKey({ view, id }: Target): string {
  return id === undefined ? view : `${view}/${id}`;
}

/** The items that pass the filter. */
export function shownItems(list: List): readonly Item[] {
  const wanted = list.filter.toLowerCase();
  return wanted === ''
    ? (list.items ?? [])
    : (list.items ?? []).filter((item) => item.search.includes(wanted));
}

/** Place of the chosen item among the shown ones. */
export function cursorOf(list: List): number {
  const index = shownItems(list).findIndex((item) => item.id === list.chosen);
  return Math.max(0, index);
}

/** Rows that a list or a detail has, between head and foot. */
export function bodyRows({ size }: Pick<State, 'size'>): number {
  return Math.max(1, size.rows - 1 - headRows(size) - 1);
}

/** One line of tabs, and one of column titles where there is room. */
export function headRows(size: State['size']): number {
  return size.rows >= 8 ? 2 : 1;
}
