// From view to view: what is entered lies on top of where one came from.
import type { Place } from '@yagura/core/resource/client';
import { pathParameters } from '@yagura/core/resource/path';
import { catalogue } from '../resource/catalogue.ts';
import type { Entry } from '../resource/entry.ts';
import { entryNamed } from '../resource/entry-client.ts';
import { placeBelow } from './actions.ts';
import { linesOf } from './sheet-lines.ts';
import { listView, type State, sheetView, type Target, topView, type View } from './state.ts';
import { titleOf } from './title-of.ts';
import { nounFor, type World } from './world.ts';

/** Views that lie on one another at most. */
const deepest = 50;

/** The view of a target. */
export function viewOf(world: World, target: Target, title?: string): View {
  switch (target.kind) {
    case 'home':
      return sheetView(target, world.t('tui.home'));
    case 'stream':
      return listView(target, 'message', world.t('tui.stream'));
    case 'list':
      return listView(target, target.resource, title ?? nounFor(world, target.resource, 1));
    case 'item':
      return sheetView(target, title ?? target.id ?? nounFor(world, target.resource, 0));
  }
}

export function entered(state: State, view: View): State {
  return { ...state, stack: [...state.stack.slice(-deepest), view] };
}

/** Starts over from home with this view. */
export function jumped(state: State, view: View): State {
  return { ...state, stack: [state.stack[0]!, ...(view.target.kind === 'home' ? [] : [view])] };
}

/** Out of the view that is on top; home stays. */
export function left(state: State): State {
  return state.stack.length > 1 ? { ...state, stack: state.stack.slice(0, -1) } : state;
}

/** The place that the things in a view have. */
export function placeIn(view: View): Place {
  const { target } = view;
  if (target.kind === 'list') return target.place;
  return target.kind === 'item' ? placeBelow(entryNamed(target.resource), target.place, target.id) : {};
}

/**
 * The list of a resource, or the list of what holds it where the place is not known that far: Enter then leads on.
 * Undefined when no list leads there.
 */
export function viewTowards(world: World, resource: string, place: Place): View | undefined {
  const wanted = entryNamed(resource);
  const parameters = pathParameters(wanted.path);
  const missing = parameters.find((name) => !place[name]);
  const known = (names: readonly string[]) =>
    Object.fromEntries(names.filter((name) => place[name]).map((name) => [name, place[name]]));
  if (missing === undefined) {
    const target: Target = wanted.singleton
      ? { kind: 'item', resource, place: known(parameters) }
      : { kind: 'list', resource, place: known(parameters) };
    return viewOf(world, target);
  }
  const holder = holderOf(wanted, missing);
  if (!holder || holder === wanted) return undefined;
  const view = viewTowards(world, holder.name, place);
  return view?.kind === 'list' ? { ...view, wanted: view.wanted ?? resource } : undefined;
}

/** What holds a resource, however far above, and goes by that parameter. */
function holderOf(wanted: Entry, parameter: string): Entry | undefined {
  const parent = catalogue.find(({ name }) => name === wanted.parent);
  if (parent?.verbs.includes('list')) return parent.id === parameter ? parent : holderOf(parent, parameter);
  return catalogue.find(({ id, verbs }) => id === parameter && verbs.includes('list'));
}

/** Where Enter on a row leads. */
export function viewBelow(world: World, state: State): View | undefined {
  const view = topView(state);
  if (view.kind === 'sheet') {
    const line = linesOf(view)[view.cursor];
    return line?.link && viewOf(world, line.link, line.title);
  }
  const item = view.shown[view.cursor];
  if (!item) return undefined;
  const entry = entryNamed(view.resource);
  const place = view.target.kind === 'list' ? view.target.place : {};
  if (view.wanted) {
    const below = viewTowards(world, view.wanted, placeBelow(entry, place, item.id));
    // Whose list it is stands in the trail, as if one had gone there by its sheet.
    return below && { ...below, title: `${titleOf(world, entry, item.row, item.id)} › ${below.title}` };
  }
  const title = titleOf(world, entry, item.row, item.id);
  const target: Target = { kind: 'item', resource: view.resource, place, id: item.id };
  return { ...(viewOf(world, target, title) as View & { kind: 'sheet' }), row: item.row };
}
