// Navigation between views as a stack.
import type { PathParams } from '@yagura/core/resource/client';
import { pathParameters } from '@yagura/core/resource/path';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { resources } from '../../resource/meta/resources.ts';
import { type AppContext, nounFor } from './app-context.ts';
import { detailLines } from './detail-lines.ts';
import { itemTitle } from './item-title.ts';
import { childPathParams } from './resource-actions.ts';
import { detailView, listView, type State, topView, type View, type ViewTarget } from './state.ts';

/** Maximum depth of the view stack. */
const maxDepth = 50;

/** The view of a target. */
export function createView(context: AppContext, target: ViewTarget, title?: string): View {
  switch (target.kind) {
    case 'home':
      return detailView(target, context.t('tui.home'));
    case 'sonar':
      return detailView(target, context.t('tui.sonar'));
    case 'stream':
      return listView(target, 'message', context.t('tui.stream'));
    case 'list':
      return listView(target, target.resource, title ?? nounFor(context, target.resource, 1));
    case 'item':
      return detailView(target, title ?? target.id ?? nounFor(context, target.resource, 0));
  }
}

export function pushView(state: State, view: View): State {
  return { ...state, stack: [...state.stack.slice(-maxDepth), view] };
}

/** Replaces all views above home with this view. */
export function openFromHome(state: State, view: View): State {
  return { ...state, stack: [state.stack[0]!, ...(view.target.kind === 'home' ? [] : [view])] };
}

/** Closes the top view; home stays. */
export function popView(state: State): State {
  return state.stack.length > 1 ? { ...state, stack: state.stack.slice(0, -1) } : state;
}

/** The path parameters for items in a view. */
export function pathParamsIn(view: View): PathParams {
  const { target } = view;
  if (target.kind === 'list') return target.params;
  return target.kind === 'item'
    ? childPathParams(resourceNamed(target.resource), target.params, target.id)
    : {};
}

/**
 * The list of a resource, or the list of its parent when path parameters are missing; Enter then continues to
 * the resource. Undefined when no list leads there.
 */
export function nearestViewTo(
  context: AppContext,
  resource: string,
  pathParams: PathParams,
): View | undefined {
  const destination = resourceNamed(resource);
  const parameters = pathParameters(destination.path);
  const missing = parameters.find((name) => !pathParams[name]);
  const known = (names: readonly string[]) =>
    Object.fromEntries(names.filter((name) => pathParams[name]).map((name) => [name, pathParams[name]]));
  if (missing === undefined) {
    const target: ViewTarget = destination.singleton
      ? { kind: 'item', resource, params: known(parameters) }
      : { kind: 'list', resource, params: known(parameters) };
    return createView(context, target);
  }
  const holder = ancestorWithParam(destination, missing);
  if (!holder || holder === destination) return undefined;
  const view = nearestViewTo(context, holder.name, pathParams);
  return view?.kind === 'list'
    ? { ...view, destinationResource: view.destinationResource ?? resource }
    : undefined;
}

/** The ancestor of a resource that is identified by that path parameter. */
function ancestorWithParam(destination: ResourceMeta, parameter: string): ResourceMeta | undefined {
  const parent = resources.find(({ name }) => name === destination.parent);
  if (parent?.verbs.includes('list'))
    return parent.id === parameter ? parent : ancestorWithParam(parent, parameter);
  return resources.find(({ id, verbs }) => id === parameter && verbs.includes('list'));
}

/** The view opened by Enter on a row. */
export function viewOnEnter(context: AppContext, state: State): View | undefined {
  const view = topView(state);
  if (view.kind === 'sheet') {
    const line = detailLines(view)[view.cursor];
    return line?.link && createView(context, line.link, line.title);
  }
  const item = view.visibleItems[view.cursor];
  if (!item) return undefined;
  const meta = resourceNamed(view.resource);
  const pathParams = view.target.kind === 'list' ? view.target.params : {};
  if (view.destinationResource) {
    const below = nearestViewTo(
      context,
      view.destinationResource,
      childPathParams(meta, pathParams, item.id),
    );
    // The breadcrumb includes the parent's title, as if its detail view had been opened.
    return below && { ...below, title: `${itemTitle(context, meta, item.row, item.id)} › ${below.title}` };
  }
  const title = itemTitle(context, meta, item.row, item.id);
  const target: ViewTarget = { kind: 'item', resource: view.resource, params: pathParams, id: item.id };
  return { ...(createView(context, target, title) as View & { kind: 'sheet' }), row: item.row };
}
