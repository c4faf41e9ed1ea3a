// What the keys do while a view has them.

import { entryNamed } from '../resource/entry-client.ts';
import { labelOf } from '../resource/present.ts';
import { actionMenu, actionOfWay, asked, commandOf, idsIn, requested, subjectsIn } from './deeds.ts';
import { entered, jumped, left, viewBelow, viewOf, viewTowards } from './go.ts';
import { type Act, actOf, type Room } from './keys.ts';
import { movedTo, resumed, scrolled, turned, withFilter } from './rows.ts';
import { linesOf } from './sheet-lines.ts';
import {
  bodyRows,
  type DetailView,
  forms,
  type ListView,
  type MenuItem,
  type State,
  topView,
  type View,
} from './state.ts';
import { inputOf } from './text-input.ts';
import type { AppContext } from './world.ts';

/** Lines that one turn of the wheel goes. */
const turn = 3;
/** Rows before the end of those that are there at which the next ones are asked for. */
const ahead = 100;

/** The room whose keys hold. */
export function roomOf(view: View): Room {
  if (view.kind === 'sheet') return view.target.kind === 'home' ? 'home' : 'sheet';
  return view.target.kind === 'stream' ? 'stream' : 'list';
}

export function pressView(context: AppContext, before: State, key: string): State {
  const view = topView(before);
  const act = actOf(key, roomOf(view));
  const state = before.notice ? { ...before, notice: undefined } : before;
  return act ? steps[act](context, state, view) : state;
}

type Step = (context: AppContext, state: State, view: View) => State;

const steps: Record<Act, Step> = {
  down: (_world, state) => moved(state, 1),
  up: (_world, state) => moved(state, -1),
  'half-down': (_world, state) => moved(state, Math.ceil(bodyRows(state) / 2)),
  'half-up': (_world, state) => moved(state, -Math.ceil(bodyRows(state) / 2)),
  'page-down': (_world, state) => moved(state, bodyRows(state)),
  'page-up': (_world, state) => moved(state, -bodyRows(state)),
  first: (_world, state) => moved(state, Number.NEGATIVE_INFINITY),
  last: (_world, state, view) =>
    view.kind === 'list' && view.target.kind === 'stream'
      ? withView(state, resumed(view, bodyRows(state)))
      : lastOf(moved(state, Number.POSITIVE_INFINITY)),
  'scroll-down': (_world, state) => scrolledBy(state, turn),
  'scroll-up': (_world, state) => scrolledBy(state, -turn),
  enter(context, state) {
    const view = viewBelow(context, state);
    return view ? entered(state, view) : state;
  },
  back: (_world, state, view) => backFrom(state, view),
  home: (context, state) => jumped(state, viewOf(context, { kind: 'home' })),
  command: (_world, state) => ({ ...state, overlay: { kind: 'command', input: inputOf(), picked: 0 } }),
  filter: (_world, state, view) =>
    view.kind === 'list'
      ? { ...state, overlay: { kind: 'filter', input: inputOf(view.filter), before: view.filter } }
      : state,
  sort: (context, state, view) =>
    view.kind === 'list' ? { ...state, overlay: sortMenu(context, view) } : state,
  mark: (_world, state, view) => (view.kind === 'list' ? marked(state, view) : state),
  'mark-all': (_world, state, view) => (view.kind === 'list' ? allMarked(state, view) : state),
  actions: (context, state, view) => ({ ...state, overlay: actionMenu(context, view) }),
  create: (context, state, view) => byKey(context, state, view, 'create'),
  edit: (context, state, view) => byKey(context, state, view, 'edit'),
  'edit-text': (context, state, view) => byKey(context, state, view, 'edit', true),
  remove: (context, state, view) => byKey(context, state, view, 'remove'),
  toggle: (context, state, view) => byKey(context, state, view, 'toggle'),
  form: (_world, state, view) =>
    view.kind === 'sheet' && view.target.kind === 'item' && view.row
      ? withView(state, { ...view, form: forms[(forms.indexOf(view.form) + 1) % forms.length]!, cursor: 0 })
      : state,
  copy(context, state, view) {
    const text = idsIn(context, view);
    return text === '' ? state : requested(state, { act: 'copy', text });
  },
  'copy-command': (_world, state, view) => requested(state, { act: 'copy', text: commandOf(view) }),
  open: (_world, state, view) => requested(state, { act: 'open', target: openable(state, view) }),
  pause(_world, state, view) {
    if (view.kind !== 'list') return state;
    if (view.paused) return withView(state, resumed(view, bodyRows(state)));
    return withView(state, { ...view, paused: true, chosen: view.shown[view.cursor]?.id });
  },
  reload: (_world, state) => ({ ...state, reloads: state.reloads + 1 }),
  help: (_world, state) => ({ ...state, overlay: { kind: 'help', top: 0 } }),
  mouse: (context, state) =>
    requested(
      {
        ...state,
        mouse: !state.mouse,
        notice: { text: context.t(state.mouse ? 'tui.mouse.off' : 'tui.mouse.on'), style: 'dim' },
      },
      { act: 'mouse', on: !state.mouse },
    ),
  suspend: (_world, state) => requested(state, { act: 'suspend' }),
  quit: (_world, state) => ({ ...state, quit: true }),
};

export function withView(state: State, view: View): State {
  return { ...state, stack: [...state.stack.slice(0, -1), view] };
}

function moved(state: State, by: number): State {
  const view = topView(state);
  if (view.kind === 'sheet') return withView(state, movedSheet(view, by));
  const next = movedTo(view, view.cursor + by, bodyRows(state));
  // Whoever walks in a stream wants it to stand still.
  const still = view.target.kind === 'stream' ? { ...next, paused: next.shown.length > 0 } : next;
  return wanting(withView(state, still), still);
}

/** Everything there is gets read, for the last row is wanted. */
function lastOf(state: State): State {
  const view = topView(state);
  if (view.kind !== 'list' || view.filter !== '' || (view.items?.length ?? 0) >= view.total) return state;
  return withView({ ...state, more: state.more + 1 }, { ...view, toEnd: true });
}

/** Asks for the next rows when the cursor comes near the end of those that are there. */
function wanting(state: State, view: ListView): State {
  const there = view.items?.length ?? 0;
  const near = view.cursor + ahead >= view.shown.length && view.filter === '';
  return view.target.kind === 'list' && near && there < view.total
    ? { ...state, more: state.more + 1 }
    : state;
}

/** Home has its cursor on what Enter opens; an item is read line by line. */
function movedSheet(view: DetailView, by: number): DetailView {
  const lines = linesOf(view);
  const last = Math.max(0, lines.length - 1);
  const to = Math.max(0, Math.min(view.cursor + by, last));
  if (view.target.kind !== 'home') return { ...view, cursor: to };
  const step = by < 0 ? -1 : 1;
  for (let at = to; at >= 0 && at <= last; at += step) if (lines[at]?.link) return { ...view, cursor: at };
  for (let at = to; at >= 0 && at <= last; at -= step) if (lines[at]?.link) return { ...view, cursor: at };
  return view;
}

function scrolledBy(state: State, by: number): State {
  const view = topView(state);
  if (view.kind === 'sheet') return moved(state, by);
  const next = turned(view, by, bodyRows(state));
  if (view.target.kind === 'stream' && next !== view) return withView(state, { ...next, paused: true });
  return wanting(withView(state, next), next);
}

/** First what narrows the list goes, then the marks, then the view; at home nothing is left but to quit by name. */
function backFrom(state: State, view: View): State {
  if (view.kind === 'list') {
    if (view.filter !== '') return withView(state, withFilter(view, '', bodyRows(state)));
    if (view.target.kind === 'list' && view.asked !== '') {
      const { filter: _filter, ...target } = view.target;
      return withView(state, { ...view, target, asked: '', items: undefined, shown: [], chosen: undefined });
    }
    if (view.marks.size > 0) return withView(state, { ...view, marks: new Set() });
  }
  return left(state);
}

function marked(state: State, view: ListView): State {
  const item = view.shown[view.cursor];
  if (!item) return state;
  const marks = new Set(view.marks);
  if (!marks.delete(item.id)) marks.add(item.id);
  return moved(withView(state, { ...view, marks }), 1);
}

/** All that pass the filter, or none when all of them are marked. */
function allMarked(state: State, view: ListView): State {
  const ids = view.shown.map(({ id }) => id);
  const all = ids.every((id) => view.marks.has(id));
  return withView(state, { ...view, marks: new Set(all ? [] : [...view.marks, ...ids]) });
}

function byKey(
  context: AppContext,
  state: State,
  view: View,
  way: Parameters<typeof actionOfWay>[2],
  inEditor = false,
): State {
  const action = actionOfWay(context, view, way);
  if (!action) return { ...state, notice: { text: context.t('tui.not-here'), style: 'dim' } };
  if (way === 'create') {
    const pathParams = view.target.kind === 'list' ? view.target.params : {};
    const subject = { id: undefined, params: pathParams, title: '', row: undefined };
    return asked(context, state, action.resource, action, [subject], inEditor);
  }
  const here = subjectsIn(context, view);
  return here ? asked(context, state, here.resource, action, here.subjects, inEditor) : state;
}

/** The item under the cursor, else what is looked at. */
function openable(state: State, view: View) {
  if (view.kind === 'sheet') return linesOf(view)[view.cursor]?.link ?? view.target;
  const item = view.shown[view.cursor];
  const pathParams = view.target.kind === 'list' ? view.target.params : {};
  return item
    ? ({ kind: 'item', resource: view.resource, params: pathParams, id: item.id } as const)
    : topView(state).target;
}

function sortMenu(context: AppContext, view: ListView): State['overlay'] {
  const meta = entryNamed(view.resource);
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
  return { kind: 'menu', title: context.t('tui.sort'), items, input: inputOf(), picked };
}

/** Follows the size of the screen. */
export function fitted(state: State): State {
  const stack = state.stack.map((view) => (view.kind === 'list' ? scrolled(view, bodyRows(state)) : view));
  return { ...state, stack };
}

/** Leads towards a resource, wherever it is. */
export function goTo(
  context: AppContext,
  state: State,
  resource: string,
  params: Parameters<typeof viewTowards>[2],
): State {
  const view = viewTowards(context, resource, params);
  return view ? jumped(state, view) : { ...state, notice: { text: context.t('tui.not-here'), style: 'dim' } };
}
