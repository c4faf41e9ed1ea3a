// From view to view: what is entered lies on top of where one came from.
import type { PathParams } from '@yagura/core/resource/client';
import { pathParameters } from '@yagura/core/resource/path';
import { catalogue } from '../resource/catalogue.ts';
import type { ResourceMeta } from '../resource/entry.ts';
import { entryNamed } from '../resource/entry-client.ts';
import { placeBelow } from './actions.ts';
import { linesOf } from './sheet-lines.ts';
import { detailView, listView, type State, type Target, topView, type View } from './state.ts';
import { titleOf } from './title-of.ts';
import { type AppContext, nounFor } from './world.ts';

/** Views that lie on one another at most. */
const deepest = 50;

/** The view of a target. */
export function viewOf(context: AppContext, target: Target, title?: string): View {
  switch (target.kind) {
    case 'home':
      return detailView(target, context.t('tui.home'));
    case 'stream':
      return listView(target, 'message', context.t('tui.stream'));
    case 'list':
      return listView(target, target.resource, title ?? nounFor(context, target.resource, 1));
    case 'item':
      return detailView(target, title ?? target.id ?? nounFor(context, target.resource, 0));
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
export function placeIn(view: View): PathParams {
  const { target } = view;
  if (target.kind === 'list') return target.params;
  return target.kind === 'item' ? placeBelow(entryNamed(target.resource), target.params, target.id) : {};
}

/**
 * The list of a resource, or the list of what holds it where the place is not known that far: Enter then leads on.
 * Undefined when no list leads there.
 */
export function viewTowards(context: AppContext, resource: string, pathParams: PathParams): View | undefined {
  const wanted = entryNamed(resource);
  const parameters = pathParameters(wanted.path);
  const missing = parameters.find((name) => !pathParams[name]);
  const known = (names: readonly string[]) =>
    Object.fromEntries(names.filter((name) => pathParams[name]).map((name) => [name, pathParams[name]]));
  if (missing === undefined) {
    const target: Target = wanted.singleton
      ? { kind: 'item', resource, params: known(parameters) }
      : { kind: 'list', resource, params: known(parameters) };
    return viewOf(context, target);
  }
  const holder = holderOf(wanted, missing);
  if (!holder || holder === wanted) return undefined;
  const view = viewTowards(context, holder.name, pathParams);
  return view?.kind === 'list' ? { ...view, wanted: view.wanted ?? resource } : undefined;
}

/** What holds a resource, however far above, and goes by that parameter. */
function holderOf(wanted: ResourceMeta, parameter: string): ResourceMeta | undefined {
  const parent = catalogue.find(({ name }) => name === wanted.parent);
  if (parent?.verbs.includes('list')) return parent.id === parameter ? parent : holderOf(parent, parameter);
  return catalogue.find(({ id, verbs }) => id === parameter && verbs.includes('list'));
}

/** Where Enter on a row leads. */
export function viewBelow(context: AppContext, state: State): View | undefined {
  const view = topView(state);
  if (view.kind === 'sheet') {
    const line = linesOf(view)[view.cursor];
    return line?.link && viewOf(context, line.link, line.title);
  }
  const item = view.shown[view.cursor];
  if (!item) return undefined;
  const meta = entryNamed(view.resource);
  const pathParams = view.target.kind === 'list' ? view.target.params : {};
  if (view.wanted) {
    const below = viewTowards(context, view.wanted, placeBelow(meta, pathParams, item.id));
    // Whose list it is stands in the trail, as if one had gone there by its sheet.
    return below && { ...below, title: `${titleOf(context, meta, item.row, item.id)} › ${below.title}` };
  }
  const title = titleOf(context, meta, item.row, item.id);
  const target: Target = { kind: 'item', resource: view.resource, params: pathParams, id: item.id };
  return { ...(viewOf(context, target, title) as View & { kind: 'sheet' }), row: item.row };
}
