// Starts actions: asks for confirmation, and explains why an action is denied.
import { itemCommand, listCommand, quoteShellWords } from '@yagura/core/resource/command-line';
import { parentsOf } from '../../resource/meta/path-params.ts';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { cleanLine } from '../../terminal/clean.ts';
import { createTextInput } from '../form/text-input.ts';
import { type AppContext, nounFor, refusal } from './app-context.ts';
import { detailLines } from './detail-lines.ts';
import { itemTitle } from './item-title.ts';
import { selectedItems } from './list-view.ts';
import {
  actionLabel,
  actionsOf,
  hasNoEffect,
  newItemAction,
  type ResourceAction,
} from './resource-actions.ts';
import { combineFilters, toServerFilter } from './server-filter.ts';
import type { ActionSubject, DetailView, EffectRequest, MenuItem, State, View } from './state.ts';

/** The resource in view and the items an action would apply to. */
export function selectionIn(
  context: AppContext,
  view: View,
): { resource: string; subjects: readonly ActionSubject[] } | undefined {
  if (view.kind === 'list') {
    const meta = resourceNamed(view.resource);
    const pathParams = view.target.kind === 'list' ? view.target.params : {};
    const subjects = selectedItems(view).map(({ id, row }) => ({
      id,
      params: pathParams,
      title: itemTitle(context, meta, row, id),
      row,
    }));
    return { resource: view.resource, subjects };
  }
  if (view.target.kind === 'home') return undefined;
  if (view.target.kind === 'sonar') return linkedSelection(view);
  const { resource, id, params } = view.target;
  return { resource, subjects: [{ id, params, title: cleanLine(view.title), row: view.row }] };
}

/** The item that the line under the cursor leads to. */
function linkedSelection(view: DetailView): ReturnType<typeof selectionIn> {
  const line = detailLines(view)[view.cursor];
  if (line?.link?.kind !== 'item') return undefined;
  const { resource, params, id } = line.link;
  return { resource, subjects: [{ id, params, title: cleanLine(line.title ?? ''), row: undefined }] };
}

/** Actions available in a view; those for a single item are excluded when several are selected. */
export function availableActions(context: AppContext, view: View): ResourceAction[] {
  const selection = selectionIn(context, view);
  if (!selection) return [];
  const meta = resourceNamed(selection.resource);
  const disabled = selection.subjects.map(({ row }) => row?.disabled === true);
  return actionsOf(meta)
    .filter(({ bulk }) => bulk || selection.subjects.length <= 1)
    .filter((action) => !selection.subjects.every(({ row }) => hasNoEffect(meta, action, row)))
    .filter(({ operation }) => !(operation === 'enable' && !disabled.includes(true)))
    .filter(({ operation }) => !(operation === 'disable' && !disabled.includes(false)));
}

/** The action bound to a key in this view, if any. */
export function actionForShortcut(
  context: AppContext,
  view: View,
  shortcut: 'create' | 'edit' | 'remove' | 'toggle',
): ResourceAction | undefined {
  if (shortcut === 'create')
    return view.kind === 'list' && view.target.kind === 'list'
      ? newItemAction(resourceNamed(view.resource))
      : undefined;
  const found = availableActions(context, view);
  if (shortcut === 'toggle')
    return found.findLast((one) => one.operation === 'enable' || one.operation === 'disable');
  return found.find((one) => one.operation === shortcut);
}

/** The menu of actions; denied ones state the reason. */
export function createActionMenu(context: AppContext, view: View): State['overlay'] {
  const selection = selectionIn(context, view);
  if (!selection || selection.subjects.length === 0) return undefined;
  const create = view.kind === 'list' ? actionForShortcut(context, view, 'create') : undefined;
  const items: MenuItem[] = [...availableActions(context, view), ...(create ? [create] : [])].map(
    (action) => ({
      text: actionLabel(context.t, action.name),
      note: action.resource === selection.resource ? undefined : nounFor(context, action.resource, 0),
      danger: action.confirmation === 'name' || action.operation === 'remove',
      refused: refusal(context, action.resource, action.permission),
      choice: { kind: 'action', resource: selection.resource, action, subjects: selection.subjects },
    }),
  );
  if (items.length === 0) return undefined;
  return {
    kind: 'menu',
    title: describeSubjects(context, selection.resource, selection.subjects),
    items,
    input: createTextInput(),
    picked: 0,
  };
}

/** Formats `scope database` or `3 scopes`. */
function describeSubjects(context: AppContext, resource: string, subjects: readonly ActionSubject[]): string {
  const [only] = subjects;
  if (subjects.length !== 1) return `${subjects.length} ${nounFor(context, resource, 1)}`;
  return `${nounFor(context, resource, 0)} ${only!.title}`;
}

/** Confirms before an action runs; forms and editors open at once because they can still be canceled. */
export function requestAction(
  context: AppContext,
  state: State,
  resource: string,
  action: ResourceAction,
  subjects: readonly ActionSubject[],
  inEditor = false,
): State {
  const refused = refusal(context, action.resource, action.permission);
  if (refused) return { ...state, notice: { text: refused, style: 'warning' } };
  if (subjects.length === 0 && action.operation !== 'create') return state;
  if (action.operation === 'connect') return requestEffect(state, { act: 'connect', id: subjects[0]!.id! });
  if (action.bodyFields) {
    const subject = subjects[0] ?? { id: undefined, params: {}, title: '', row: undefined };
    return requestEffect(state, { act: inEditor ? 'edit' : 'form', resource, action, subject });
  }
  const many = subjects.length > 1;
  const byName = action.confirmation === 'name' || (many && action.operation === 'remove');
  const question = context.t('tui.ask', {
    act: actionLabel(context.t, action.name),
    what: describeSubjects(context, resource, subjects),
  });
  const asked = { question, command: { act: 'perform', resource, action, subjects } } as const;
  if (!byName && action.confirmation !== 'note') return { ...state, overlay: { kind: 'ask', ...asked } };
  const text = byName ? (many ? String(subjects.length) : subjects[0]!.title) : undefined;
  return { ...state, overlay: { kind: 'ask-text', ...asked, text, input: createTextInput() } };
}

export function requestEffect(state: State, effect: EffectRequest): State {
  return { ...state, request: { ...effect, serial: (state.request?.serial ?? 0) + 1 } };
}

/** The ids of the marked items or the one under the cursor, one per line. */
export function selectedIds(context: AppContext, view: View): string {
  if (view.kind === 'sheet' && view.target.kind !== 'item') {
    const link = detailLines(view)[view.cursor]?.link;
    return link?.kind === 'item' ? (link.id ?? '') : '';
  }
  return (selectionIn(context, view)?.subjects ?? []).flatMap(({ id }) => id ?? []).join('\n');
}

/** The equivalent shell command of a view, with the words that filter its rows. */
export function shellCommandOf({ t }: AppContext, view: View): string {
  const { target } = view;
  if (target.kind === 'home') return quoteShellWords(['yagura', 'alerts']);
  if (target.kind === 'sonar') return quoteShellWords(listCommand(resourceNamed('network'), {}));
  if (target.kind === 'stream')
    return quoteShellWords(listCommand(resourceNamed('message'), { sort: '-receivedAt' }));
  const meta = resourceNamed(target.resource);
  const parents = parentsOf(meta).map((parent) => [parent.name, target.params[parent.id] ?? ''] as const);
  if (target.kind === 'item') return quoteShellWords(itemCommand(meta, 'show', target.id, parents));
  const typed = view.kind === 'list' ? toServerFilter(meta, view.filter, t) : undefined;
  const filter = combineFilters(target.filter, typed);
  return quoteShellWords(listCommand(meta, { sort: target.sort, filter }, parents));
}
