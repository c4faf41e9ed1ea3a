// Handles keys in a view without overlay.

import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { labelOf } from '../../resource/output/present-value.ts';
import { createTextInput } from '../form/text-input.ts';
import type { AppContext } from '../state/app-context.ts';
import { detailLines } from '../state/detail-lines.ts';
import { moveCursor, resumeStream, scrollList, scrollToCursor, withFilter } from '../state/list-view.ts';
import {
  createView,
  nearestViewTo,
  openFromHome,
  popView,
  pushView,
  viewOnEnter,
} from '../state/navigation.ts';
import {
  actionForShortcut,
  createActionMenu,
  requestAction,
  requestEffect,
  selectedIds,
  selectionIn,
  shellCommandOf,
} from '../state/request-action.ts';
import {
  bodyRows,
  type DetailView,
  detailFormats,
  type ListView,
  type MenuItem,
  type State,
  topView,
  type View,
} from '../state/state.ts';
import { type KeyAction, type KeyScope, keyActionFor } from './key-bindings.ts';

/** Lines scrolled per wheel step. */
const wheelStep = 3;
/** Distance in rows from the end of the loaded rows at which the next page is requested. */
const prefetchDistance = 100;

/** The key context of a view. */
export function keyScopeOf(view: View): KeyScope {
  if (view.kind === 'sheet') return view.target.kind === 'home' ? 'home' : 'sheet';
  return view.target.kind === 'stream' ? 'stream' : 'list';
}

export function handleViewKey(context: AppContext, before: State, key: string): State {
  const view = topView(before);
  const action = keyActionFor(key, keyScopeOf(view));
  const state = before.notice ? { ...before, notice: undefined } : before;
  return action ? keyHandlers[action](context, state, view) : state;
}

type KeyHandler = (context: AppContext, state: State, view: View) => State;

const keyHandlers: Record<KeyAction, KeyHandler> = {
  down: (_context, state) => moveCursorBy(state, 1),
  up: (_context, state) => moveCursorBy(state, -1),
  'half-down': (_context, state) => moveCursorBy(state, Math.ceil(bodyRows(state) / 2)),
  'half-up': (_context, state) => moveCursorBy(state, -Math.ceil(bodyRows(state) / 2)),
  'page-down': (_context, state) => moveCursorBy(state, bodyRows(state)),
  'page-up': (_context, state) => moveCursorBy(state, -bodyRows(state)),
  first: (_context, state) => moveCursorBy(state, Number.NEGATIVE_INFINITY),
  last: (_context, state, view) =>
    view.kind === 'list' && view.target.kind === 'stream'
      ? replaceTopView(state, resumeStream(view, bodyRows(state)))
      : loadAllRows(moveCursorBy(state, Number.POSITIVE_INFINITY)),
  'scroll-down': (_context, state) => scrollTopView(state, wheelStep),
  'scroll-up': (_context, state) => scrollTopView(state, -wheelStep),
  enter(context, state) {
    const view = viewOnEnter(context, state);
    return view ? pushView(state, view) : state;
  },
  back: (_context, state, view) => goBack(state, view),
  home: (context, state) => openFromHome(state, createView(context, { kind: 'home' })),
  command: (_context, state) => ({
    ...state,
    overlay: { kind: 'command', input: createTextInput(), picked: 0 },
  }),
  filter: (_context, state, view) =>
    view.kind === 'list'
      ? {
          ...state,
          overlay: { kind: 'filter', input: createTextInput(view.filter), previousFilter: view.filter },
        }
      : state,
  sort: (context, state, view) =>
    view.kind === 'list' ? { ...state, overlay: createSortMenu(context, view) } : state,
  mark: (_context, state, view) => (view.kind === 'list' ? toggleMark(state, view) : state),
  'mark-all': (_context, state, view) => (view.kind === 'list' ? toggleAllMarks(state, view) : state),
  actions: (context, state, view) => ({ ...state, overlay: createActionMenu(context, view) }),
  create: (context, state, view) => runActionKey(context, state, view, 'create'),
  edit: (context, state, view) => runActionKey(context, state, view, 'edit'),
  'edit-text': (context, state, view) => runActionKey(context, state, view, 'edit', true),
  remove: (context, state, view) => runActionKey(context, state, view, 'remove'),
  toggle: (context, state, view) => runActionKey(context, state, view, 'toggle'),
  form: (_context, state, view) =>
    view.kind === 'sheet' && view.target.kind === 'item' && view.row
      ? replaceTopView(state, {
          ...view,
          format: detailFormats[(detailFormats.indexOf(view.format) + 1) % detailFormats.length]!,
          cursor: 0,
        })
      : state,
  copy(context, state, view) {
    const text = selectedIds(context, view);
    return text === '' ? state : requestEffect(state, { act: 'copy', text });
  },
  'copy-command': (context, state, view) =>
    requestEffect(state, { act: 'copy', text: shellCommandOf(context, view) }),
  open: (_context, state, view) => requestEffect(state, { act: 'open', target: targetToOpen(state, view) }),
  pause(_context, state, view) {
    if (view.kind !== 'list') return state;
    if (view.paused) return replaceTopView(state, resumeStream(view, bodyRows(state)));
    return replaceTopView(state, { ...view, paused: true, selectedId: view.visibleItems[view.cursor]?.id });
  },
  reload: (_context, state) => ({ ...state, reloadCount: state.reloadCount + 1 }),
  help: (_context, state) => ({ ...state, overlay: { kind: 'help', scrollTop: 0 } }),
  mouse: (context, state) =>
    requestEffect(
      {
        ...state,
        mouse: !state.mouse,
        notice: { text: context.t(state.mouse ? 'tui.mouse.off' : 'tui.mouse.on'), style: 'dim' },
      },
      { act: 'mouse', on: !state.mouse },
    ),
  suspend: (_context, state) => requestEffect(state, { act: 'suspend' }),
  quit: (_context, state) => ({ ...state, quit: true }),
};

export function replaceTopView(state: State, view: View): State {
  return { ...state, stack: [...state.stack.slice(0, -1), view] };
}

function moveCursorBy(state: State, by: number): State {
  const view = topView(state);
  if (view.kind === 'sheet') return replaceTopView(state, moveDetailCursor(view, by));
  const next = moveCursor(view, view.cursor + by, bodyRows(state));
  // Moving the cursor pauses a stream.
  const still = view.target.kind === 'stream' ? { ...next, paused: next.visibleItems.length > 0 } : next;
  return requestMoreRows(replaceTopView(state, still), still);
}

/** Loads all rows, because the last one is requested. */
function loadAllRows(state: State): State {
  const view = topView(state);
  if (view.kind !== 'list' || view.filter !== '' || (view.items?.length ?? 0) >= view.total) return state;
  return replaceTopView({ ...state, loadMoreCount: state.loadMoreCount + 1 }, { ...view, loadingAll: true });
}

/** Requests the next page when the cursor approaches the end of the loaded rows. */
function requestMoreRows(state: State, view: ListView): State {
  const loadedCount = view.items?.length ?? 0;
  const near = view.cursor + prefetchDistance >= view.visibleItems.length && view.filter === '';
  return view.target.kind === 'list' && near && loadedCount < view.total
    ? { ...state, loadMoreCount: state.loadMoreCount + 1 }
    : state;
}

/** In home and Sonar the cursor stops only at links; a detail view scrolls line by line. */
function moveDetailCursor(view: DetailView, by: number): DetailView {
  const lines = detailLines(view);
  const last = Math.max(0, lines.length - 1);
  const to = Math.max(0, Math.min(view.cursor + by, last));
  if (view.target.kind === 'item') return { ...view, cursor: to };
  const step = by < 0 ? -1 : 1;
  for (let at = to; at >= 0 && at <= last; at += step) if (lines[at]?.link) return { ...view, cursor: at };
  for (let at = to; at >= 0 && at <= last; at -= step) if (lines[at]?.link) return { ...view, cursor: at };
  return view;
}

function scrollTopView(state: State, by: number): State {
  const view = topView(state);
  if (view.kind === 'sheet') return moveCursorBy(state, by);
  const next = scrollList(view, by, bodyRows(state));
  if (view.target.kind === 'stream' && next !== view) return replaceTopView(state, { ...next, paused: true });
  return requestMoreRows(replaceTopView(state, next), next);
}

/** Clears filters first, then marks, then closes the view; home is only left by the quit key. */
function goBack(state: State, view: View): State {
  if (view.kind === 'list') {
    if (view.filter !== '') return replaceTopView(state, withFilter(view, '', bodyRows(state)));
    if (view.target.kind === 'list' && view.serverQuery !== '') {
      const { filter: _filter, ...target } = view.target;
      return replaceTopView(state, {
        ...view,
        target: view.baseFilter ? { ...target, filter: view.baseFilter } : target,
        serverQuery: '',
        items: undefined,
        visibleItems: [],
        selectedId: undefined,
      });
    }
    if (view.marks.size > 0) return replaceTopView(state, { ...view, marks: new Set() });
  }
  return popView(state);
}

function toggleMark(state: State, view: ListView): State {
  const item = view.visibleItems[view.cursor];
  if (!item) return state;
  const marks = new Set(view.marks);
  if (!marks.delete(item.id)) marks.add(item.id);
  return moveCursorBy(replaceTopView(state, { ...view, marks }), 1);
}

/** Marks all rows that match the filter, or unmarks everything when they are all marked. */
function toggleAllMarks(state: State, view: ListView): State {
  const ids = view.visibleItems.map(({ id }) => id);
  const all = ids.every((id) => view.marks.has(id));
  return replaceTopView(state, { ...view, marks: new Set(all ? [] : [...view.marks, ...ids]) });
}

function runActionKey(
  context: AppContext,
  state: State,
  view: View,
  shortcut: Parameters<typeof actionForShortcut>[2],
  inEditor = false,
): State {
  const action = actionForShortcut(context, view, shortcut);
  if (!action) return { ...state, notice: { text: context.t('tui.not-here'), style: 'dim' } };
  if (shortcut === 'create') {
    const pathParams = view.target.kind === 'list' ? view.target.params : {};
    const subject = { id: undefined, params: pathParams, title: '', row: undefined };
    return requestAction(context, state, action.resource, action, [subject], inEditor);
  }
  const selection = selectionIn(context, view);
  return selection
    ? requestAction(context, state, selection.resource, action, selection.subjects, inEditor)
    : state;
}

/** The item under the cursor, or else the current view. */
function targetToOpen(state: State, view: View) {
  if (view.kind === 'sheet') return detailLines(view)[view.cursor]?.link ?? view.target;
  const item = view.visibleItems[view.cursor];
  const pathParams = view.target.kind === 'list' ? view.target.params : {};
  return item
    ? ({ kind: 'item', resource: view.resource, params: pathParams, id: item.id } as const)
    : topView(state).target;
}

function createSortMenu(context: AppContext, view: ListView): State['overlay'] {
  const meta = resourceNamed(view.resource);
  const [now = ''] = (view.target.kind === 'list' ? (view.target.sort ?? meta.defaultSort) : '').split(',');
  const fields = [...new Set([...meta.columns, ...meta.sortable])].filter((name) =>
    meta.sortable.includes(name),
  );
  const items = fields.map(
    (field): MenuItem => ({
      text: labelOf(field, context.t, meta.id),
      note: now === field ? '↑' : now === `-${field}` ? '↓' : undefined,
      choice: { kind: 'sort', field },
    }),
  );
  const picked = Math.max(0, fields.indexOf(now.replace(/^-/, '')));
  return { kind: 'menu', title: context.t('tui.sort'), items, input: createTextInput(), picked };
}

/** Adjusts the view to the screen size. */
export function fitToSize(state: State): State {
  const stack = state.stack.map((view) =>
    view.kind === 'list' ? scrollToCursor(view, bodyRows(state)) : view,
  );
  return { ...state, stack };
}

/** Opens a resource's list from anywhere. */
export function goToResource(
  context: AppContext,
  state: State,
  resource: string,
  params: Parameters<typeof nearestViewTo>[2],
): State {
  const view = nearestViewTo(context, resource, params);
  return view
    ? openFromHome(state, view)
    : { ...state, notice: { text: context.t('tui.not-here'), style: 'dim' } };
}
