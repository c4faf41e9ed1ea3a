// How keys and answers change what is shown. Pure, so that every key can be tried without a terminal.

import type { Row } from '../resource/entry.ts';
import { actWord } from './actions.ts';
import type { Mistake } from './document.ts';
import { textsOf } from './form.ts';
import { linesOfForm, onLine } from './press-form.ts';
import { pressOverlay } from './press-overlay.ts';
import { fitted, pressView } from './press-view.ts';
import { type Rows, withNewest, withRows } from './rows.ts';
import {
  bodyRows,
  type Connection,
  type Detail,
  type DetailView,
  type Request,
  type State,
  type Target,
  targetKey,
  type View,
} from './state.ts';
import { inputOf } from './text-input.ts';
import { type AppContext, nounFor } from './world.ts';

export interface Outcome {
  text: string;
  failed: boolean;
  /** What became of each of several. */
  lines?: readonly { text: string; style: 'success' | 'danger' }[];
}

export type Action =
  | { type: 'keys'; keys: readonly string[] }
  | { type: 'rows'; target: Target; rows: Rows; at: number }
  | { type: 'sheet'; target: Target; title: string; id?: string; detail: Detail; row?: Row; at: number }
  | { type: 'failed'; target: Target; reason: string; away: boolean }
  | { type: 'busy'; text: string | undefined }
  | { type: 'form'; request: Extract<Request, { act: 'form' }>; base: Row; etag: string | undefined }
  | { type: 'mistakes'; mistakes: readonly Mistake[] }
  | { type: 'done'; outcome: Outcome }
  | { type: 'connection'; connection: Connection }
  | { type: 'size'; size: State['size'] }
  | { type: 'tick'; now: number };

export type Reducer = (state: State, action: Action) => State;

export function reducerOf(context: AppContext): Reducer {
  return (state, action) => {
    switch (action.type) {
      case 'keys':
        return action.keys.reduce((now, key) => pressed(context, now, key), state);
      case 'rows':
        return changed(state, action.target, (view) => withAnswer(view, action, bodyRows(state)));
      case 'sheet':
        return changed(state, action.target, (view) => withSheet(view, action));
      case 'failed': {
        const next = changed(state, action.target, (view) => ({ ...view, lost: action.reason }));
        return action.away ? { ...next, connection: 'away' } : next;
      }
      case 'busy':
        return { ...state, busy: action.text };
      case 'form':
        return formed(context, state, action);
      case 'mistakes':
        return refused(state, action.mistakes);
      case 'done':
        return done(context, state, action.outcome);
      case 'connection':
        return state.connection === action.connection ? state : { ...state, connection: action.connection };
      case 'size':
        return fitted({ ...state, size: action.size });
      case 'tick':
        return { ...state, now: Math.max(state.now, action.now) };
    }
  };
}

function pressed(context: AppContext, state: State, key: string): State {
  if (state.quit) return state;
  if (key === 'ctrl-c') return { ...state, quit: true };
  return state.overlay ? pressOverlay(context, state, state.overlay, key) : pressView(context, state, key);
}

function changed(state: State, target: Target, change: (view: View) => View): State {
  const key = targetKey(target);
  const stack = state.stack.map((view) => (targetKey(view.target) === key ? change(view) : view));
  return { ...state, stack };
}

function withAnswer(view: View, { rows, at }: Extract<Action, { type: 'rows' }>, height: number): View {
  if (view.kind !== 'list') return view;
  const next = view.target.kind === 'stream' ? withNewest(view, rows, height) : withRows(view, rows, height);
  return { ...next, seenAt: at, lost: undefined };
}

function withSheet(view: View, found: Extract<Action, { type: 'sheet' }>): View {
  if (view.kind !== 'sheet') return view;
  const { detail, title, row, at, id } = found;
  const target: DetailView['target'] =
    view.target.kind === 'item' && id !== undefined ? { ...view.target, id } : view.target;
  return { ...view, target, title, detail, row, seenAt: at, lost: undefined, cursor: sameLine(view, detail) };
}

/** The cursor stays on its line; at first it stands on what can be opened. */
function sameLine({ detail: before, cursor, target }: DetailView, detail: Detail): number {
  const key = before?.lines[cursor]?.key;
  const found = key === undefined ? -1 : detail.lines.findIndex((line) => line.key === key);
  if (found >= 0) return found;
  if (!before)
    return target.kind === 'home'
      ? Math.max(
          0,
          detail.lines.findIndex((line) => line.link),
        )
      : 0;
  return Math.max(0, Math.min(cursor, detail.lines.length - 1));
}

/** A form opens where nothing else was begun meanwhile. */
function formed(
  context: AppContext,
  state: State,
  { request, base, etag }: Extract<Action, { type: 'form' }>,
): State {
  if (state.overlay) return { ...state, busy: undefined };
  const { resource, action, subject } = request;
  const meta = action.body ?? {};
  const overlay = {
    kind: 'form',
    title: `${actWord(context.t, action.name)}: ${nounFor(context, action.resource, 0)} ${subject.title}`,
    resource,
    action,
    subject,
    meta,
    texts: textsOf(meta, base),
    base,
    etag,
    mistakes: [],
    at: 0,
    input: inputOf(),
    changed: false,
    leaving: false,
    sending: false,
  } as const;
  return onLine({ ...state, busy: undefined }, overlay, 0);
}

/** What was refused stands beside its field, and the first of them is where to go on. */
function refused(state: State, mistakes: readonly Mistake[]): State {
  const { overlay } = state;
  if (overlay?.kind !== 'form') return { ...state, busy: undefined };
  const back = { ...overlay, mistakes, sending: false };
  const first = linesOfForm(back).findIndex(({ path }) =>
    mistakes.some((mistake) => mistake.path === path || mistake.path.startsWith(`${path}.`)),
  );
  // What belongs to no field stands above the button.
  return onLine({ ...state, busy: undefined }, back, first < 0 ? linesOfForm(back).length : first);
}

/** A form that could not be sent stays, with all that was typed and the reason; one that was is over. */
function afterSending(state: State, failed: boolean, reason: string): State {
  const { overlay } = state;
  if (overlay?.kind !== 'form' || !overlay.sending) return state;
  if (!failed) return { ...state, overlay: undefined };
  return refused(state, [{ path: '', reason }]);
}

/** What was done is told; several results that are not all good are shown one by one. */
function done(context: AppContext, state: State, { text, failed, lines }: Outcome): State {
  const next: State = {
    ...afterSending(state, failed, text),
    busy: undefined,
    notice: { text, style: failed ? 'danger' : 'success' },
    reloads: state.reloads + 1,
    stack: state.stack.map((view) =>
      view.kind === 'list' && !failed ? { ...view, marks: new Set<string>() } : view,
    ),
  };
  if (!failed || !lines || lines.length < 2) return next;
  return { ...next, overlay: { kind: 'results', title: context.t('tui.results'), lines, top: 0 } };
}
