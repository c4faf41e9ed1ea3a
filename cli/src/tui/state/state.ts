// What the full-screen view shows, as plain data. All of it changes in one place, the reducer.
import type { PathParams } from '@yagura/core/resource/client';
import type { Fields, Row } from '../../resource/meta/resource-meta.ts';
import type { Style } from '../../terminal/style.ts';
import type { Cell, Column } from '../../terminal/table.ts';
import type { FieldError } from '../form/form-document.ts';
import type { FieldTexts } from '../form/form-fields.ts';
import type { TextInput } from '../form/text-input.ts';
import type { ResourceAction } from './resource-actions.ts';

/** What is looked at. */
export type ViewTarget =
  | { kind: 'home' }
  | { kind: 'stream' }
  | { kind: 'list'; resource: string; params: PathParams; filter?: string; sort?: string }
  | { kind: 'item'; resource: string; params: PathParams; id?: string };

export interface ListItem {
  id: string;
  row: Row;
  /** Lower-case text that the filter looks through. */
  searchText: string;
}

/** Rows of one resource. */
export interface ListView {
  kind: 'list';
  target: Extract<ViewTarget, { kind: 'list' | 'stream' }>;
  resource: string;
  title: string;
  /** Undefined until the first answer. */
  items: readonly ListItem[] | undefined;
  /** Those that pass the filter. */
  visibleItems: readonly ListItem[];
  /** How many the server has. */
  total: number;
  /** Names of referenced items by id. */
  names: ReadonlyMap<string, string>;
  filter: string;
  /** What was typed for the filter that the server applies. */
  serverQuery: string;
  /** Id of the row that a person moved to; without one the first is under the cursor. */
  selectedId: string | undefined;
  cursor: number;
  scrollTop: number;
  marks: ReadonlySet<string>;
  /** Resource below the rows that is wanted: Enter leads there. */
  destinationResource: string | undefined;
  /** All rows are being read, because somebody wants to see the last one. */
  loadingAll: boolean;
  /** A stream that stands still, and the rows that wait. */
  paused: boolean;
  buffered: readonly ListItem[];
  loadedAt: number | undefined;
  loadError: string | undefined;
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
  link?: ViewTarget;
  title?: string;
}

export interface Detail {
  lines: readonly DetailLine[];
  tables: readonly (readonly Column[])[];
}

export const detailFormats = ['fields', 'yaml', 'json'] as const;
export type DetailFormat = (typeof detailFormats)[number];

/** The home screen, or everything about one item. */
export interface DetailView {
  kind: 'sheet';
  target: Extract<ViewTarget, { kind: 'home' | 'item' }>;
  title: string;
  detail: Detail | undefined;
  row: Row | undefined;
  format: DetailFormat;
  cursor: number;
  loadedAt: number | undefined;
  loadError: string | undefined;
}

export type View = ListView | DetailView;

/** One item that something is done to. */
export interface ActionSubject {
  id: string | undefined;
  params: PathParams;
  title: string;
  row: Row | undefined;
}

/** A form with what is typed into it. */
export interface FilledForm {
  meta: Fields;
  texts: FieldTexts;
  /** The item as it was, and its version. */
  base: Row;
  etag: string | undefined;
}

/** Something to be done outside; the serial tells a repeated one from the one before. */
export type EffectRequest =
  | { act: 'perform'; resource: string; action: ResourceAction; subjects: readonly ActionSubject[] }
  /** Reads what a form begins with. */
  | { act: 'form'; resource: string; action: ResourceAction; subject: ActionSubject }
  | (FilledForm & { act: 'submit'; resource: string; action: ResourceAction; subject: ActionSubject })
  /** In the editor; with the texts of a form that was left for it. */
  | { act: 'edit'; resource: string; action: ResourceAction; subject: ActionSubject; texts?: FieldTexts }
  | { act: 'mouse'; on: boolean }
  | { act: 'open'; target: ViewTarget }
  | { act: 'copy'; text: string }
  | { act: 'suspend' };
export type PendingEffect = EffectRequest & { serial: number };

export interface MenuItem {
  text: string;
  /** Behind the text, dim. */
  note?: string;
  danger?: boolean;
  /** Why it cannot be chosen. */
  refused?: string;
  choice:
    | { kind: 'action'; resource: string; action: ResourceAction; subjects: readonly ActionSubject[] }
    | { kind: 'sort'; field: string };
}

export type Overlay =
  | { kind: 'help'; scrollTop: number }
  | { kind: 'command'; input: TextInput; picked: number }
  | { kind: 'filter'; input: TextInput; previousFilter: string }
  | { kind: 'menu'; title: string; items: readonly MenuItem[]; input: TextInput; picked: number }
  /** Waits for y, or for the text to be typed. */
  | { kind: 'ask'; question: string; command: EffectRequest; text: string | undefined; input: TextInput }
  | (FilledForm & {
      kind: 'form';
      title: string;
      resource: string;
      action: ResourceAction;
      subject: ActionSubject;
      errors: readonly FieldError[];
      /** Number of the field under the cursor; the one behind the last is the button. */
      fieldIndex: number;
      input: TextInput;
      changed: boolean;
      /** Asked whether what was typed may be lost. */
      confirmingClose: boolean;
      submitting: boolean;
    })
  | { kind: 'results'; title: string; lines: readonly { text: string; style: Style }[]; scrollTop: number };

export type Connection = 'connecting' | 'live' | 'polling' | 'away';

export interface State {
  /** The innermost view last; the first one is home. */
  stack: readonly View[];
  overlay: Overlay | undefined;
  request: PendingEffect | undefined;
  /** What is under way, in one sentence. */
  busy: string | undefined;
  /** Grows with every wish to load again. */
  reloadCount: number;
  /** Grows with every wish for the next rows of the list. */
  loadMoreCount: number;
  /** One sentence about what was done last. */
  notice: { text: string; style: Style } | undefined;
  connection: Connection;
  /** The wheel is told of; off, the terminal selects text with the mouse. */
  mouse: boolean;
  size: { columns: number; rows: number };
  now: number;
  quit: boolean;
}

export function targetKey(target: ViewTarget): string {
  return JSON.stringify(target);
}

export function topView(state: Pick<State, 'stack'>): View {
  return state.stack.at(-1)!;
}

/** Lines between head and foot. */
export function bodyRows({ size }: Pick<State, 'size'>): number {
  return Math.max(1, size.rows - headerRows(size) - statusBarRows(size));
}

/** The trail, and the titles of the columns where there is room. */
export function headerRows(size: State['size']): number {
  return size.rows >= 8 ? 2 : 1;
}

/** The line that says what is going on, and one of keys where there is room. */
export function statusBarRows(size: State['size']): number {
  return size.rows >= 14 ? 2 : 1;
}

export function listView(target: ListView['target'], resource: string, title: string): ListView {
  return {
    kind: 'list',
    target,
    resource,
    title,
    items: undefined,
    visibleItems: [],
    total: 0,
    names: new Map(),
    filter: '',
    serverQuery: '',
    selectedId: undefined,
    cursor: 0,
    scrollTop: 0,
    marks: new Set(),
    destinationResource: undefined,
    loadingAll: false,
    paused: false,
    buffered: [],
    loadedAt: undefined,
    loadError: undefined,
  };
}

export function detailView(target: DetailView['target'], title: string): DetailView {
  return {
    kind: 'sheet',
    target,
    title,
    detail: undefined,
    row: undefined,
    format: 'fields',
    cursor: 0,
    loadedAt: undefined,
    loadError: undefined,
  };
}

export function initialState(home: string, size: State['size'], now: number, mouse = true): State {
  return {
    stack: [detailView({ kind: 'home' }, home)],
    overlay: undefined,
    request: undefined,
    busy: undefined,
    reloadCount: 0,
    loadMoreCount: 0,
    notice: undefined,
    connection: 'connecting',
    mouse,
    size,
    now,
    quit: false,
  };
}
