// What a person wants done: asked first where it changes something, explained where it is refused.
import { itemCommand, listCommand, quoteWords } from '@yagura/core/resource/command-line';
import { entryNamed } from '../resource/entry-client.ts';
import { parentsOf } from '../resource/place.ts';
import { cleanLine } from '../term/clean.ts';
import { type Action, actionsOf, actWord, createAction } from './actions.ts';
import { subjectsOf } from './rows.ts';
import { linesOf } from './sheet-lines.ts';
import type { Command, MenuItem, State, Subject, View } from './state.ts';
import { inputOf } from './text-input.ts';
import { titleOf } from './title-of.ts';
import { type AppContext, nounFor, refusal } from './world.ts';

/** The resource in view, and the items that something would be done to. */
export function subjectsIn(
  context: AppContext,
  view: View,
): { resource: string; subjects: readonly Subject[] } | undefined {
  if (view.kind === 'list') {
    const meta = entryNamed(view.resource);
    const pathParams = view.target.kind === 'list' ? view.target.params : {};
    const subjects = subjectsOf(view).map(({ id, row }) => ({
      id,
      params: pathParams,
      title: titleOf(context, meta, row, id),
      row,
    }));
    return { resource: view.resource, subjects };
  }
  if (view.target.kind === 'home') return undefined;
  const { resource, id, params } = view.target;
  return { resource, subjects: [{ id, params, title: cleanLine(view.title), row: view.row }] };
}

/** Everything that can be done here, less what goes for one item alone when several are meant. */
export function actionsIn(context: AppContext, view: View): Action[] {
  const here = subjectsIn(context, view);
  if (!here) return [];
  const meta = entryNamed(here.resource);
  const disabled = here.subjects.map(({ row }) => row?.disabled === true);
  return actionsOf(meta)
    .filter(({ several }) => several || here.subjects.length <= 1)
    .filter(({ way }) => !(way === 'enable' && !disabled.includes(true)))
    .filter(({ way }) => !(way === 'disable' && !disabled.includes(false)));
}

/** The action of one key, if there is one here. */
export function actionOfWay(
  context: AppContext,
  view: View,
  way: 'create' | 'edit' | 'remove' | 'toggle',
): Action | undefined {
  if (way === 'create')
    return view.kind === 'list' && view.target.kind === 'list'
      ? createAction(entryNamed(view.resource))
      : undefined;
  const found = actionsIn(context, view);
  if (way === 'toggle') return found.findLast((one) => one.way === 'enable' || one.way === 'disable');
  return found.find((one) => one.way === way);
}

/** The menu of what can be done; what is refused says why. */
export function actionMenu(context: AppContext, view: View): State['overlay'] {
  const here = subjectsIn(context, view);
  if (!here || here.subjects.length === 0) return undefined;
  const create = view.kind === 'list' ? actionOfWay(context, view, 'create') : undefined;
  const items: MenuItem[] = [...actionsIn(context, view), ...(create ? [create] : [])].map((action) => ({
    text: actWord(context.t, action.name),
    note: action.resource === here.resource ? undefined : nounFor(context, action.resource, 0),
    danger: action.danger === 'name' || action.way === 'remove',
    refused: refusal(context, action.resource, action.permission),
    choice: { kind: 'action', resource: here.resource, action, subjects: here.subjects },
  }));
  if (items.length === 0) return undefined;
  return {
    kind: 'menu',
    title: nameOf(context, here.resource, here.subjects),
    items,
    input: inputOf(),
    picked: 0,
  };
}

/** `scope database`, or `3 scopes`. */
function nameOf(context: AppContext, resource: string, subjects: readonly Subject[]): string {
  const [only] = subjects;
  if (subjects.length !== 1) return `${subjects.length} ${nounFor(context, resource, 1)}`;
  return `${nounFor(context, resource, 0)} ${only!.title}`;
}

/** Asks before something is done; a form or an editor can still be left. */
export function asked(
  context: AppContext,
  state: State,
  resource: string,
  action: Action,
  subjects: readonly Subject[],
  inEditor = false,
): State {
  const refused = refusal(context, action.resource, action.permission);
  if (refused) return { ...state, notice: { text: refused, style: 'warning' } };
  if (subjects.length === 0 && action.way !== 'create') return state;
  if (action.body) {
    const subject = subjects[0] ?? { id: undefined, params: {}, title: '', row: undefined };
    return requested(state, { act: inEditor ? 'edit' : 'form', resource, action, subject });
  }
  const many = subjects.length > 1;
  const byName = action.danger === 'name' || (many && action.way === 'remove');
  const question = context.t('tui.ask', {
    act: actWord(context.t, action.name),
    what: nameOf(context, resource, subjects),
  });
  return {
    ...state,
    overlay: {
      kind: 'ask',
      question,
      command: { act: 'perform', resource, action, subjects },
      text: byName ? (many ? String(subjects.length) : subjects[0]!.title) : undefined,
      input: inputOf(),
    },
  };
}

export function requested(state: State, command: Command): State {
  return { ...state, request: { ...command, serial: (state.request?.serial ?? 0) + 1 } };
}

/** The ids of what is under the cursor or marked, one a line. */
export function idsIn(context: AppContext, view: View): string {
  if (view.kind === 'sheet' && view.target.kind === 'home') {
    const link = linesOf(view)[view.cursor]?.link;
    return link?.kind === 'item' ? (link.id ?? '') : '';
  }
  return (subjectsIn(context, view)?.subjects ?? []).flatMap(({ id }) => id ?? []).join('\n');
}

/** The command that shows the same in a shell. */
export function commandOf(view: View): string {
  const { target } = view;
  if (target.kind === 'home') return quoteWords(['yagura', 'alerts']);
  if (target.kind === 'stream')
    return quoteWords(listCommand(entryNamed('message'), { sort: '-receivedAt' }));
  const meta = entryNamed(target.resource);
  const parents = parentsOf(meta).map((parent) => [parent.name, target.params[parent.id] ?? ''] as const);
  return quoteWords(
    target.kind === 'list'
      ? listCommand(meta, { sort: target.sort, filter: target.filter }, parents)
      : itemCommand(meta, 'show', target.id, parents),
  );
}
