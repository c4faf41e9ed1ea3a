// State of the full-screen view as plain data; changed only by the reducer.
import { chunkSize } from '@yagura/core/http/chunks';
import type { ProblemKind } from '@yagura/core/http/problem';
import type { PathParams } from '@yagura/core/resource/client';
import type { Fields } from '@yagura/core/resource/resource-meta';
import type { Row } from '../../resource/meta/row.ts';
import type { Style } from '../../terminal/style.ts';
import type { Cell, Column } from '../../terminal/table.ts';
import type { FieldError } from '../form/form-document.ts';
import type { FieldTexts } from '../form/form-fields.ts';
import type { TextInput } from '../form/text-input.ts';
import type { ResourceAction } from './resource-actions.ts';

/** The content of a view. */
export type ViewTarget =
  | { kind: 'home' }
  | { kind: 'sonar' }
  | { kind: 'stream' }
  | { kind: 'list'; resource: string; params: PathParams; filter?: string; sort?: string }
  | { kind: 'item'; resource: string; params: PathParams; id?: string };

export interface ListItem {
  id: string;
  row: Row;
  /** Lower-case text searched by the filter. */
  searchText: string;
}

/** A list of one resource. */
export interface ListView {
  kind: 'list';
  target: Extract<ViewTarget, { kind: 'list' | 'stream' }>;
  resource: string;
  title: string;
  /** Undefined until the first response. */
  items: readonly ListItem[] | undefined;
  /** Rows that match the filter. */
  visibleItems: readonly ListItem[];
  /** Total number of rows on the server. */
  total: number;
  /** Names of referenced items by id. */
  names: ReadonlyMap<string, string>;
  filter: string;
  /** Input of the filter applied by the server. */
  serverQuery: string;
  /** Filter of the list without that input. */
  baseFilter: string | undefined;
  /** Id of the row selected by the user; undefined keeps the cursor on the first row. */
  selectedId: string | undefined;
  cursor: number;
  scrollTop: number;
  marks: ReadonlySet<string>;
  /** Nested resource to open: Enter on a row leads to it. */
  destinationResource: string | undefined;
  /** All rows are being loaded because the last one was requested. */
  loadingAll: boolean;
  /** Whether the stream is paused, and the rows held back meanwhile. */
  paused: boolean;
  buffered: readonly ListItem[];
  loadedAt: number | undefined;
  loadError: string | undefined;
}

export interface DetailLine {
  /** Stable when the view is reloaded. */
  key: string;
  depth: number;
  text: string;
  label?: string;
  style?: Style;
  /** A row of one of the view's tables. */
  cells?: readonly Cell[];
  table?: number;
  /** Target of Enter, and its title. */
  link?: ViewTarget;
  title?: string;
}

export interface Detail {
  lines: readonly DetailLine[];
  tables: readonly (readonly Column[])[];
}

export const detailFormats = ['fields', 'yaml', 'json'] as const;
export type DetailFormat = (typeof detailFormats)[number];

/** The home view, the Sonar view or the details of one item. */
export interface DetailView {
  kind: 'sheet';
  target: Extract<ViewTarget, { kind: 'home' | 'sonar' | 'item' }>;
  title: string;
  detail: Detail | undefined;
  row: Row | undefined;
  format: DetailFormat;
  cursor: number;
  loadedAt: number | undefined;
  loadError: string | undefined;
}

export type View = ListView | DetailView;

/** An item an action applies to. */
export interface ActionSubject {
  id: string | undefined;
  params: PathParams;
  title: string;
  row: Row | undefined;
}

/** A form and its input. */
export interface FilledForm {
  meta: Fields;
  texts: FieldTexts;
  /** The original item and its version. */
  base: Row;
  etag: string | undefined;
}

export interface PerformRequest {
  act: 'perform';
  resource: string;
  action: ResourceAction;
  subjects: readonly ActionSubject[];
  /** Sent along if the action takes one. */
  note?: string;
}

/** A side effect to run; the serial number distinguishes repeated ones. */
export type EffectRequest =
  | PerformRequest
  /** Loads the initial values of a form. */
  | { act: 'form'; resource: string; action: ResourceAction; subject: ActionSubject }
  | (FilledForm & { act: 'submit'; resource: string; action: ResourceAction; subject: ActionSubject })
  /** Opens the editor, with the values of the form it was opened from. */
  | { act: 'edit'; resource: string; action: ResourceAction; subject: ActionSubject; texts?: FieldTexts }
  /** Runs a session in the terminal; the id is that of a destination or session. */
  | { act: 'connect'; id: string }
  | { act: 'mouse'; on: boolean }
  | { act: 'open'; target: ViewTarget }
  | { act: 'copy'; text: string }
  | { act: 'suspend' };
export type PendingEffect = EffectRequest & { serial: number };

export interface MenuItem {
  text: string;
  /** Shown dimmed after the text. */
  note?: string;
  danger?: boolean;
  /** Why it cannot be selected. */
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
  /** Waits for y. */
  | { kind: 'ask'; question: string; command: PerformRequest }
  /** Waits for the text to be typed, or for a note if there is none. */
  | {
      kind: 'ask-text';
      question: string;
      command: PerformRequest;
      text: string | undefined;
      input: TextInput;
    }
  | (FilledForm & {
      kind: 'form';
      title: string;
      resource: string;
      action: ResourceAction;
      subject: ActionSubject;
      errors: readonly FieldError[];
      /** Index of the field under the cursor; the index after the last one is the button. */
      fieldIndex: number;
      input: TextInput;
      changed: boolean;
      /** The user is asked whether to discard the input. */
      confirmingClose: boolean;
      submitting: boolean;
    })
  | { kind: 'results'; title: string; lines: readonly { text: string; style: Style }[]; scrollTop: number };

export type QuestionOverlay = Extract<Overlay, { kind: 'ask' | 'ask-text' }>;

export type Connection = 'connecting' | 'live' | 'polling' | 'away';

/** A request in progress. */
export interface Operation {
  /** Of its request. */
  serial: number;
  /** One sentence. */
  text: string;
  /** Whether it has items that may not have started. */
  isCancelable: boolean;
}

export interface State {
  /** The first view is home, the last one is visible. */
  stack: readonly View[];
  overlay: Overlay | undefined;
  request: PendingEffect | undefined;
  /** Serial number of the request of which no further items are started. */
  canceled: number | undefined;
  /** Those in progress that have said what they do, in the order in which they began. */
  operations: readonly Operation[];
  /** A call waits until the server is asked again. */
  wait: { kind: ProblemKind; until: number } | undefined;
  /** Incremented to request a reload. */
  reloadCount: number;
  /** Incremented to request the next rows of the list. */
  loadMoreCount: number;
  /** Result of the last action, as one sentence. */
  notice: { text: string; style: Style } | undefined;
  connection: Connection;
  /** Wheel reports are on; when off, the terminal selects text with the mouse. */
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

/** Lines between header and footer. */
export function bodyRows({ size }: Pick<State, 'size'>): number {
  return Math.max(1, size.rows - headerRows(size) - statusBarRows(size));
}

/** The breadcrumb, and the column titles when there is space. */
export function headerRows(size: State['size']): number {
  return size.rows >= 8 ? 2 : 1;
}

/** The status line, and the key hints when there is space. */
export function statusBarRows(size: State['size']): number {
  return size.rows >= 14 ? 2 : 1;
}

/** Whether an action may have items that have not started: it works on a group of them at a time. */
export function isCancelable(request: EffectRequest): boolean {
  return request.act === 'perform' && request.subjects.length > chunkSize;
}

/** The latest operation that can be canceled and was not. */
export function cancelableOperation({ operations, canceled }: State): Operation | undefined {
  return operations.findLast((one) => one.isCancelable && one.serial !== canceled);
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
    baseFilter: target.kind === 'list' ? target.filter : undefined,
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
    canceled: undefined,
    operations: [],
    wait: undefined,
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
