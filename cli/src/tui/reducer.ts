// How keys and answers change what is shown. Pure, so that every key can be tried without a terminal.
import { actOf } from './keys.ts';
import {
  bodyRows,
  cursorOf,
  type Detail,
  type DetailLine,
  type Item,
  type List,
  type State,
  shownItems,
  type Target,
  targetKey,
  targetOf,
  views,
} from './state.ts';

export type Loaded =
  | { kind: 'list'; items: readonly Item[]; total: number; counts: Record<string, number> }
  | { kind: 'detail'; title: string; lines: readonly DetailLine[] };

export type Happening =
  | { type: 'key'; key: string }
  | { type: 'loaded'; target: Target; loaded: Loaded; at: number }
  | { type: 'failed'; target: Target; reason: string }
  | { type: 'done'; text: string; failed: boolean }
  | { type: 'size'; size: State['size'] }
  | { type: 'tick'; now: number };

export function next(state: State, happening: Happening): State {
  switch (happening.type) {
    case 'key':
      return pressed(state, happening.key);
    case 'loaded':
      return loaded(state, happening);
    case 'failed':
      if (targetKey(happening.target) !== targetKey(targetOf(state))) return state;
      return { ...state, lost: happening.reason };
    case 'done':
      return {
        ...state,
        notice: { text: happening.text, style: happening.failed ? 'danger' : 'success' },
        reloads: state.reloads + 1,
      };
    case 'size':
      return { ...state, size: happening.size };
    case 'tick':
      return { ...state, now: happening.now };
  }
}

function loaded(state: State, { target, loaded: found, at }: Extract<Happening, { type: 'loaded' }>): State {
  const current = targetKey(target) === targetKey(targetOf(state));
  const seen = current ? { seenAt: at, now: Math.max(at, state.now), lost: undefined } : {};
  if (found.kind === 'list') {
    const { items, total, counts } = found;
    return {
      ...state,
      ...seen,
      lists: { ...state.lists, [target.view]: { ...state.lists[target.view], items, total, counts } },
    };
  }
  const trail = state.trail.map((detail): Detail => {
    if (targetKey(detail.target) !== targetKey(target)) return detail;
    const cursor = Math.min(detail.cursor, Math.max(0, found.lines.length - 1));
    return { ...detail, title: found.title, lines: found.lines, cursor };
  });
  return { ...state, ...seen, trail };
}

function pressed(state: State, key: string): State {
  if (key === 'ctrl-c') return { ...state, quit: true };
  if (state.asking) return answered(state, key);
  if (state.typing) return typed(state, key);
  const act = actOf(key);
  if (state.help) return { ...state, help: false, quit: act === 'quit' && key !== 'q' };
  const quiet = state.notice ? { ...state, notice: undefined } : state;
  switch (act) {
    case 'down':
      return moved(quiet, 1);
    case 'up':
      return moved(quiet, -1);
    case 'page-down':
      return moved(quiet, bodyRows(state));
    case 'page-up':
      return moved(quiet, -bodyRows(state));
    case 'first':
      return moved(quiet, Number.NEGATIVE_INFINITY);
    case 'last':
      return moved(quiet, Number.POSITIVE_INFINITY);
    case 'enter':
      return entered(quiet);
    case 'back':
      return left(quiet);
    case 'next-view': {
      const view = views[(views.indexOf(state.view) + 1) % views.length]!;
      return { ...quiet, view, trail: [], lost: undefined, seenAt: undefined };
    }
    case 'filter':
      return state.trail.length > 0 ? quiet : { ...quiet, typing: true };
    case 'reload':
      return { ...quiet, reloads: state.reloads + 1 };
    case 'open':
      return requested(quiet, { act: 'open', target: pointedAt(quiet) });
    case 'reset':
      return asked(quiet);
    case 'help':
      return { ...quiet, help: true };
    case 'quit':
      return { ...quiet, quit: true };
    default:
      return quiet;
  }
}

function moved(state: State, by: number): State {
  const detail = state.trail.at(-1);
  if (detail) {
    const cursor = clamp(detail.cursor + by, (detail.lines?.length ?? 1) - 1);
    return { ...state, trail: [...state.trail.slice(0, -1), { ...detail, cursor }] };
  }
  const list = state.lists[state.view];
  const items = shownItems(list);
  return withList(state, { chosen: items[clamp(cursorOf(list) + by, items.length - 1)]?.id });
}

function entered(state: State): State {
  const detail = state.trail.at(-1);
  const link = detail?.lines?.[detail.cursor]?.link;
  const target = detail ? link : pointedAt(state);
  if (target?.id === undefined) return state;
  const title = target.id;
  const entry: Detail = { target: { view: target.view, id: target.id }, title, lines: undefined, cursor: 0 };
  return { ...state, trail: [...state.trail, entry], lost: undefined, seenAt: undefined };
}

/** Out of a detail first, then out of the filter. */
function left(state: State): State {
  if (state.trail.length > 0) return { ...state, trail: state.trail.slice(0, -1), lost: undefined };
  return withList(state, { filter: '' });
}

function typed(state: State, key: string): State {
  const { filter } = state.lists[state.view];
  if (key === 'enter') return { ...state, typing: false };
  if (key === 'escape') return withList({ ...state, typing: false }, { filter: '' });
  if (key === 'backspace') return withList(state, { filter: [...filter].slice(0, -1).join('') });
  if (key === 'ctrl-u') return withList(state, { filter: '' });
  const text = key === 'space' ? ' ' : key;
  if ([...text].length > 1 || filter.length >= 100) return state;
  return withList(state, { filter: filter + text });
}

function asked(state: State): State {
  const target = pointedAt(state);
  if (target.view !== 'scopes' || target.id === undefined) return state;
  const name = String(
    state.lists.scopes.items?.find((item) => item.id === target.id)?.row.displayName ?? target.id,
  );
  return { ...state, asking: { request: { act: 'reset', target }, name } };
}

function answered(state: State, key: string): State {
  const { asking } = state;
  const quiet = { ...state, asking: undefined };
  return asking && /^y$/i.test(key) ? requested(quiet, asking.request) : quiet;
}

function requested(state: State, request: Omit<NonNullable<State['request']>, 'serial'>): State {
  return { ...state, request: { ...request, serial: (state.request?.serial ?? 0) + 1 } };
}

/** The thing under the cursor, or what is looked at. */
function pointedAt(state: State): Target {
  const detail = state.trail.at(-1);
  if (detail) return detail.target;
  const list = state.lists[state.view];
  return { view: state.view, id: shownItems(list)[cursorOf(list)]?.id };
}

function withList(state: State, change: Partial<List>): State {
  return { ...state, lists: { ...state.lists, [state.view]: { ...state.lists[state.view], ...change } } };
}

function clamp(value: number, last: number): number {
  return Math.max(0, Math.min(value, last));
}
