// What the full-screen view shows, as plain data. All of it changes in one place, the reducer.
import type { PathParams } from '@yagura/core/resource/client';
import type { Fields, Row } from '../resource/entry.ts';
import type { Style } from '../term/style.ts';
import type { Cell, Column } from '../term/table.ts';
import type { Action } from './actions.ts';
import type { Mistake } from './document.ts';
import type { Texts } from './form.ts';
import type { Input } from './text-input.ts';

/** What is looked at. */
export type Target =
  | { kind: 'home' }
  | { kind: 'stream' }
  | { kind: 'list'; resource: string; params: PathParams; filter?: string; sort?: string }
  | { kind: 'item'; resource: string; params: PathParams; id?: string };

export interface ListItem {
  id: string;
  row: Row;
  /** Lower-case text that the filter looks through. */
  search: string;
}

/** Rows of one resource. */
export interface ListView {
  kind: 'list';
  target: Extract<Target, { kind: 'list' | 'stream' }>;
  resource: string;
  title: string;
  /** Undefined until the first answer. */
  items: readonly ListItem[] | undefined;
  /** Those that pass the filter. */
  shown: readonly ListItem[];
  /** How many the server has. */
  total: number;
  /** Names of referenced items by id. */
  names: ReadonlyMap<string, string>;
  filter: string;
  /** What was typed for the filter that the server applies. */
  asked: string;
  /** Id of the row that a person moved to; without one the first is under the cursor. */
  chosen: string | undefined;
  cursor: number;
  top: number;
  marks: ReadonlySet<string>;
  /** Resource below the rows that is wanted: Enter leads there. */
  wanted: string | undefined;
  /** All rows are being read, because somebody wants to see the last one. */
  toEnd: boolean;
  /** A stream that stands still, and the rows that wait. */
  paused: boolean;
  held: readonly ListItem[];
  seenAt: number | undefined;
  lost: string | undefined;
}

export interface DetailLine {
  /** Stays the same when the sheet is loaded again. */
  key: string;
  depth: number;
  text: string;
  label?: string;
  style?: Style;
  /** A row of one of the sheet's tables. */
  cells?: readonly Cell[];
  table?: number;
  /** Where Enter leads, and what it is called there. */
  link?: Target;
  title?: string;
}

export interface Detail {
  lines: readonly DetailLine[];
  tables: readonly (readonly Column[])[];
}

export const forms = ['fields', 'yaml', 'json'] as const;
export type Form = (typeof forms)[number];

/** The home screen, or everything about one item. */
export interface DetailView {
  kind: 'sheet';
  target: Extract<Target, { kind: 'home' | 'item' }>;
  title: string;
  detail: Detail | undefined;
  row: Row | undefined;
  form: Form;
  cursor: number;
  seenAt: number | undefined;
  lost: string | undefined;
}

export type View = ListView | DetailView;

/** One item that something is done to. */
export interface Subject {
  id: string | undefined;
  params: PathParams;
  title: string;
  row: Row | undefined;
}

/** A form with what is typed into it. */
export interface Filled {
  meta: Fields;
  texts: Texts;
  /** The item as it was, and its version. */
  base: Row;
  etag: string | undefined;
}

/** Something to be done outside; the serial tells a repeated one from the one before. */
export type Command =
  | { act: 'perform'; resource: string; action: Action; subjects: readonly Subject[] }
  /** Reads what a form begins with. */
  | { act: 'form'; resource: string; action: Action; subject: Subject }
  | (Filled & { act: 'submit'; resource: string; action: Action; subject: Subject })
  /** In the editor; with the texts of a form that was left for it. */
  | { act: 'edit'; resource: string; action: Action; subject: Subject; texts?: Texts }
  | { act: 'mouse'; on: boolean }
  | { act: 'open'; target: Target }
  | { act: 'copy'; text: string }
  | { act: 'suspend' };
export type Request = Command & { serial: number };

export interface MenuItem {
  text: string;
  /** Behind the text, dim. */
  note?: string;
  danger?: boolean;
  /** Why it cannot be chosen. */
  refused?: string;
  choice:
    | { kind: 'action'; resource: string; action: Action; subjects: readonly Subject[] }
    | { kind: 'sort'; field: string };
}

export type Overlay =
  | { kind: 'help'; top: number }
  | { kind: 'command'; input: Input; picked: number }
  | { kind: 'filter'; input: Input; before: string }
  | { kind: 'menu'; title: string; items: readonly MenuItem[]; input: Input; picked: number }
  /** Waits for y, or for the text to be typed. */
  | { kind: 'ask'; question: string; command: Command; text: string | undefined; input: Input }
  | (Filled & {
      kind: 'form';
      title: string;
      resource: string;
      action: Action;
      subject: Subject;
      mistakes: readonly Mistake[];
      /** Number of the field under the cursor; the one behind the last is the button. */
      at: number;
      input: Input;
      changed: boolean;
      /** Asked whether what was typed may be lost. */
      leaving: boolean;
      sending: boolean;
    })
  | { kind: 'results'; title: string; lines: readonly { text: string; style: Style }[]; top: number };

export type Connection = 'connecting' | 'live' | 'polling' | 'away';

export interface State {
  /** The innermost view last; the first one is home. */
  stack: readonly View[];
  overlay: Overlay | undefined;
  request: Request | undefined;
  /** What is under way, in one sentence. */
  busy: string | undefined;
  /** Grows with every wish to load again. */
  reloads: number;
  /** Grows with every wish for the next rows of the list. */
  more: number;
  /** One sentence about what was done last. */
  notice: { text: string; style: Style } | undefined;
  connection: Connection;
  /** The wheel is told of; off, the terminal selects text with the mouse. */
  mouse: boolean;
  size: { columns: number; rows: number };
  now: number;
  quit: boolean;
}

export function targetKey(target: Target): string {
  return JSON.stringify(target);
}

export function topView(state: Pick<State, 'stack'>): View {
  return state.stack.at(-1)!;
}

/** Lines between head and foot. */
export function bodyRows({ size }: Pick<State, 'size'>): number {
  return Math.max(1, size.rows - headRows(size) - footRows(size));
}

/** The trail, and the titles of the columns where there is room. */
export function headRows(size: State['size']): number {
  return size.rows >= 8 ? 2 : 1;
}

/** The line that says what is going on, and one of keys where there is room. */
export function footRows(size: State['size']): number {
  return size.rows >= 14 ? 2 : 1;
}

export function listView(target: ListView['target'], resource: string, title: string): ListView {
  return {
    kind: 'list',
    target,
    resource,
    title,
    items: undefined,
    shown: [],
    total: 0,
    names: new Map(),
    filter: '',
    asked: '',
    chosen: undefined,
    cursor: 0,
    top: 0,
    marks: new Set(),
    wanted: undefined,
    toEnd: false,
    paused: false,
    held: [],
    seenAt: undefined,
    lost: undefined,
  };
}

export function detailView(target: DetailView['target'], title: string): DetailView {
  return {
    kind: 'sheet',
    target,
    title,
    detail: undefined,
    row: undefined,
    form: 'fields',
    cursor: 0,
    seenAt: undefined,
    lost: undefined,
  };
}

export function initialState(home: string, size: State['size'], now: number, mouse = true): State {
  return {
    stack: [detailView({ kind: 'home' }, home)],
    overlay: undefined,
    request: undefined,
    busy: undefined,
    reloads: 0,
    more: 0,
    notice: undefined,
    connection: 'connecting',
    mouse,
    size,
    now,
    quit: false,
  };
}
