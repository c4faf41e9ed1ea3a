// State transitions for keys and responses; pure, so that every key can be tested without a terminal.

import type { ProblemKind } from '@yagura/core/http/problem';
import type { Row } from '../resource/meta/row.ts';
import type { FieldError } from './form/form-document.ts';
import { toFieldTexts } from './form/form-fields.ts';
import { createTextInput } from './form/text-input.ts';
import { currentFields, focusField } from './keys/handle-form-key.ts';
import { handleOverlayKey } from './keys/handle-overlay-key.ts';
import { fitToSize, handleViewKey } from './keys/handle-view-key.ts';
import { type AppContext, nounFor } from './state/app-context.ts';
import { type RowPage, withNewest, withRows } from './state/list-view.ts';
import { actionLabel } from './state/resource-actions.ts';
import {
  bodyRows,
  type Connection,
  cancelableOperation,
  type Detail,
  type DetailView,
  type Operation,
  type PendingEffect,
  type State,
  targetKey,
  type View,
  type ViewTarget,
} from './state/state.ts';

export interface Outcome {
  text: string;
  failed: boolean;
  /** Result per item when there are several. */
  lines?: readonly { text: string; style: 'success' | 'danger' }[];
}

export type Action =
  | { type: 'keys'; keys: readonly string[] }
  | { type: 'rows'; target: ViewTarget; rows: RowPage; at: number }
  | { type: 'sheet'; target: ViewTarget; title: string; id?: string; detail: Detail; row?: Row; at: number }
  | { type: 'failed'; target: ViewTarget; reason: string; offline: boolean }
  | ({ type: 'busy' } & Operation)
  /** Comes before the result. */
  | { type: 'ended'; serial: number }
  | { type: 'form'; request: Extract<PendingEffect, { act: 'form' }>; base: Row; etag: string | undefined }
  | { type: 'mistakes'; serial: number; errors: readonly FieldError[] }
  | { type: 'done'; serial: number; outcome: Outcome }
  | { type: 'connection'; connection: Connection }
  | { type: 'wait'; kind: ProblemKind; until: number }
  | { type: 'size'; size: State['size'] }
  | { type: 'tick'; now: number };

export type Reducer = (state: State, action: Action) => State;

/** What ends the wait of a call: its reply, or that it has failed. */
const replies: readonly Action['type'][] = ['rows', 'sheet', 'failed', 'form', 'mistakes', 'done'];

export function createReducer(context: AppContext): Reducer {
  return (current, action) => {
    const state = replies.includes(action.type) ? { ...current, wait: undefined } : current;
    switch (action.type) {
      case 'keys':
        return action.keys.reduce((now, key) => handleKey(context, now, key), state);
      case 'rows':
        return updateViews(state, action.target, (view) => withLoadedRows(view, action, bodyRows(state)));
      case 'sheet':
        return updateViews(state, action.target, (view) => withLoadedDetail(view, action));
      case 'failed': {
        const next = updateViews(state, action.target, (view) => ({ ...view, loadError: action.reason }));
        return action.offline ? { ...next, connection: 'away' } : next;
      }
      case 'busy':
        return { ...state, operations: withOperation(state.operations, action) };
      case 'ended':
        return { ...state, operations: state.operations.filter(({ serial }) => serial !== action.serial) };
      case 'form':
        return openForm(context, state, action);
      case 'mistakes':
        return isLatestRequest(state, action) ? showFieldErrors(state, action.errors) : state;
      case 'done':
        return handleOutcome(context, state, action);
      case 'connection':
        return state.connection === action.connection ? state : { ...state, connection: action.connection };
      case 'wait':
        return { ...state, wait: { kind: action.kind, until: action.until } };
      case 'size':
        return fitToSize({ ...state, size: action.size });
      case 'tick':
        return { ...state, now: Math.max(state.now, action.now) };
    }
  };
}

function handleKey(context: AppContext, state: State, key: string): State {
  if (state.quit) return state;
  if (key === 'ctrl-c') return { ...state, quit: true };
  if (key === 'escape' && !state.overlay) {
    const operation = cancelableOperation(state);
    if (operation) return { ...state, canceled: operation.serial };
  }
  return state.overlay
    ? handleOverlayKey(context, state, state.overlay, key)
    : handleViewKey(context, state, key);
}

function updateViews(state: State, target: ViewTarget, change: (view: View) => View): State {
  const key = targetKey(target);
  const stack = state.stack.map((view) => (targetKey(view.target) === key ? change(view) : view));
  return { ...state, stack };
}

function withLoadedRows(view: View, { rows, at }: Extract<Action, { type: 'rows' }>, height: number): View {
  if (view.kind !== 'list') return view;
  const next = view.target.kind === 'stream' ? withNewest(view, rows, height) : withRows(view, rows, height);
  return { ...next, loadedAt: at, loadError: undefined };
}

function withLoadedDetail(view: View, found: Extract<Action, { type: 'sheet' }>): View {
  if (view.kind !== 'sheet') return view;
  const { detail, title, row, at, id } = found;
  const target: DetailView['target'] =
    view.target.kind === 'item' && id !== undefined ? { ...view.target, id } : view.target;
  return {
    ...view,
    target,
    title,
    detail,
    row,
    loadedAt: at,
    loadError: undefined,
    cursor: keepCursorLine(view, detail),
  };
}

/** Keeps the cursor on its line; initially it is on the first link. */
function keepCursorLine({ detail: before, cursor, target }: DetailView, detail: Detail): number {
  const key = before?.lines[cursor]?.key;
  const found = key === undefined ? -1 : detail.lines.findIndex((line) => line.key === key);
  if (found >= 0) return found;
  if (!before)
    return target.kind !== 'item'
      ? Math.max(
          0,
          detail.lines.findIndex((line) => line.link),
        )
      : 0;
  return Math.max(0, Math.min(cursor, detail.lines.length - 1));
}

/** Opens the form, unless another overlay was opened meanwhile. */
function openForm(
  context: AppContext,
  state: State,
  { request, base, etag }: Extract<Action, { type: 'form' }>,
): State {
  if (state.overlay) return state;
  const { resource, action, subject } = request;
  const meta = action.bodyFields ?? {};
  const overlay = {
    kind: 'form',
    title: `${actionLabel(context.t, action.name)}: ${nounFor(context, action.resource, 0)} ${subject.title}`,
    resource,
    action,
    subject,
    meta,
    texts: toFieldTexts(meta, base),
    base,
    etag,
    errors: [],
    fieldIndex: 0,
    input: createTextInput(),
    changed: false,
    confirmingClose: false,
    submitting: false,
  } as const;
  return focusField(state, overlay, 0);
}

/** Shows errors beside their fields and moves the cursor to the first. */
function showFieldErrors(state: State, errors: readonly FieldError[]): State {
  const { overlay } = state;
  if (overlay?.kind !== 'form') return state;
  const back = { ...overlay, errors, submitting: false };
  const first = currentFields(back).findIndex(({ path }) =>
    errors.some((error) => error.path === path || error.path.startsWith(`${path}.`)),
  );
  // Errors without a field are shown above the button.
  return focusField(state, back, first < 0 ? currentFields(back).length : first);
}

/** Whether the result is that of the latest request; while a form waits for its result, there is no later one. */
const isLatestRequest = ({ request }: State, { serial }: { serial: number }) => request?.serial === serial;

/** A form that could not be submitted stays open with its input and the reason; otherwise it closes. */
function afterSubmit(state: State, failed: boolean, reason: string): State {
  const { overlay } = state;
  if (overlay?.kind !== 'form' || !overlay.submitting) return state;
  if (!failed) return { ...state, overlay: undefined };
  return showFieldErrors(state, [{ path: '', reason }]);
}

/** Shows the result; several results with failures are listed one by one, unless a form is open. */
function handleOutcome(context: AppContext, state: State, done: Extract<Action, { type: 'done' }>): State {
  const { text, failed, lines } = done.outcome;
  const next: State = {
    ...(isLatestRequest(state, done) ? afterSubmit(state, failed, text) : state),
    notice: { text, style: failed ? 'danger' : 'success' },
    reloadCount: state.reloadCount + 1,
    stack: state.stack.map((view) =>
      view.kind === 'list' && !failed ? { ...view, marks: new Set<string>() } : view,
    ),
  };
  if (!failed || !lines || lines.length < 2 || next.overlay?.kind === 'form') return next;
  return { ...next, overlay: { kind: 'results', title: context.t('tui.results'), lines, scrollTop: 0 } };
}

/** With the latest text of an operation. */
function withOperation(
  operations: readonly Operation[],
  { serial, text, isCancelable }: Operation,
): readonly Operation[] {
  const now = { serial, text, isCancelable };
  return operations.some((one) => one.serial === serial)
    ? operations.map((one) => (one.serial === serial ? now : one))
    : [...operations, now];
}
