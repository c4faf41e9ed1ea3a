// What a person wants done: asked first where it changes something, explained where it is refused.
import { itemCommand, listCommand, quoteWords } from '@yagura/core/resource/command-line';
import { entryNamed } from '../resource/entry-client.ts';
import { parentsOf } from '../resource/place.ts';
import { cleanLine } from '../term/clean.ts';
import { type Action, actionsOf, actWord, createAction } from './actions.ts';
import { subjectsOf } from './rows.ts';
import { linesOf } from './sheet-lines.ts';
import type { Deed, MenuItem, State, Subject, View } from './state.ts';
import { inputOf } from './text-input.ts';
import { titleOf } from './title-of.ts';
import { nounFor, refusal, type World } from './world.ts';

/** The resource in view, and the items that something would be done to. */
export function subjectsIn(
  world: World,
  view: View,
): { resource: string; subjects: readonly Subject[] } | undefined {
  if (view.kind === 'list') {
    const entry = entryNamed(view.resource);
    const place = view.target.kind === 'list' ? view.target.place : {};
    const subjects = subjectsOf(view).map(({ id, row }) => ({
      id,
      place,
      title: titleOf(world, entry, row, id),
      row,
    }));
    return { resource: view.resource, subjects };
  }
  if (view.target.kind === 'home') return undefined;
  const { resource, id, place } = view.target;
  return { resource, subjects: [{ id, place, title: cleanLine(view.title), row: view.row }] };
}

/** Everything that can be done here, less what goes for one item alone when several are meant. */
export function actionsIn(world: World, view: View): Action[] {
  const here = subjectsIn(world, view);
  if (!here) return [];
  const entry = entryNamed(here.resource);
  const disabled = here.subjects.map(({ row }) => row?.disabled === true);
  return actionsOf(entry)
    .filter(({ several }) => several || here.subjects.length <= 1)
    .filter(({ way }) => !(way === 'enable' && !disabled.includes(true)))
    .filter(({ way }) => !(way === 'disable' && !disabled.includes(false)));
}

/** The action of one key, if there is one here. */
export function actionOfWay(
  world: World,
  view: View,
  way: 'create' | 'edit' | 'remove' | 'toggle',
): Action | undefined {
  if (way === 'create')
    return view.kind === 'list' && view.target.kind === 'list'
      ? createAction(entryNamed(view.resource))
      : undefined;
  const found = actionsIn(world, view);
  if (way === 'toggle') return found.findLast((one) => one.way === 'enable' || one.way === 'disable');
  return found.find((one) => one.way === way);
}

/** The menu of what can be done; what is refused says why. */
export function actionMenu(world: World, view: View): State['overlay'] {
  const here = subjectsIn(world, view);
  if (!here || here.subjects.length === 0) return undefined;
  const create = view.kind === 'list' ? actionOfWay(world, view, 'create') : undefined;
  const items: MenuItem[] = [...actionsIn(world, view), ...(create ? [create] : [])].map((action) => ({
    text: actWord(world.t, action.name),
    note: action.resource === here.resource ? undefined : nounFor(world, action.resource, 0),
    danger: action.danger === 'name' || action.way === 'remove',
    refused: refusal(world, action.resource, action.permission),
    choice: { kind: 'action', resource: here.resource, action, subjects: here.subjects },
  }));
  if (items.length === 0) return undefined;
  return {
    kind: 'menu',
    title: nameOf(world, here.resource, here.subjects),
    items,
    input: inputOf(),
    picked: 0,
  };
}

/** `scope database`, or `3 scopes`. */
function nameOf(world: World, resource: string, subjects: readonly Subject[]): string {
  const [only] = subjects;
  if (subjects.length !== 1) return `${subjects.length} ${nounFor(world, resource, 1)}`;
  return `${nounFor(world, resource, 0)} ${only!.title}`;
}

/** Asks before something is done; a form or an editor can still be left. */
export function asked(
  world: World,
  state: State,
  resource: string,
  action: Action,
  subjects: readonly Subject[],
  inEditor = false,
): State {
  const refused = refusal(world, action.resource, action.permission);
  if (refused) return { ...state, notice: { text: refused, style: 'warning' } };
  if (subjects.length === 0 && action.way !== 'create') return state;
  if (action.body) {
    const subject = subjects[0] ?? { id: undefined, place: {}, title: '', row: undefined };
    return requested(state, { act: inEditor ? 'edit' : 'form', resource, action, subject });
  }
  const many = subjects.length > 1;
  const byName = action.danger === 'name' || (many && action.way === 'remove');
  const question = world.t('tui.ask', {
    act: actWord(world.t, action.name),
    what: nameOf(world, resource, subjects),
  });
  return {
    ...state,
    overlay: {
      kind: 'ask',
      question,
      deed: { act: 'perform', resource, action, subjects },
      text: byName ? (many ? String(subjects.length) : subjects[0]!.title) : undefined,
      input: inputOf(),
    },
  };
}

export function requested(state: State, deed: Deed): State {
  return { ...state, request: { ...deed, serial: (state.request?.serial ?? 0) + 1 } };
}

/** The ids of what is under the cursor or marked, one a line. */
export function idsIn(world: World, view: View): string {
  if (view.kind === 'sheet' && view.target.kind === 'home') {
    const link = linesOf(view)[view.cursor]?.link;
    return link?.kind === 'item' ? (link.id ?? '') : '';
  }
  return (subjectsIn(world, view)?.subjects ?? []).flatMap(({ id }) => id ?? []).join('\n');
}

/** The command that shows the same in a shell. */
export function commandOf(view: View): string {
  const { target } = view;
  if (target.kind === 'home') return quoteWords(['yagura', 'alerts']);
  if (target.kind === 'stream')
    return quoteWords(listCommand(entryNamed('message'), { sort: '-receivedAt' }));
  const entry = entryNamed(target.resource);
  const parents = parentsOf(entry).map((parent) => [parent.name, target.place[parent.id] ?? ''] as const);
  return quoteWords(
    target.kind === 'list'
      ? listCommand(entry, { sort: target.sort, filter: target.filter }, parents)
      : itemCommand(entry, 'show', target.id, parents),
  );
}
