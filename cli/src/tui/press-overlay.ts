// What the keys do while something lies over the view: help, the command line, the filter, a menu, a question, results.
import { parseFilter } from '@yagura/core/query/filter';
import { entryNamed } from '../resource/entry-client.ts';
import { type Command, candidatesFor, commandWords, readCommand } from './command-bar.ts';
import { actionsIn, asked, requested, subjectsIn } from './deeds.ts';
import { jumped, placeIn, viewOf } from './go.ts';
import { keysIn } from './keys.ts';
import { pressForm } from './press-form.ts';
import { fitted, goTo, roomOf, withView } from './press-view.ts';
import { withFilter } from './rows.ts';
import { serverFilter } from './server-filter.ts';
import { bodyRows, type ListView, type MenuItem, type Overlay, type State, topView } from './state.ts';
import { type Input, inputOf, typeKey } from './text-input.ts';
import type { AppContext } from './world.ts';

type Of<K extends Overlay['kind']> = Extract<Overlay, { kind: K }>;

export function pressOverlay(context: AppContext, state: State, overlay: Overlay, key: string): State {
  switch (overlay.kind) {
    case 'help':
      return pressScroll(state, overlay, key, keysIn(roomOf(topView(state))).length);
    case 'results':
      return pressScroll(state, overlay, key, overlay.lines.length);
    case 'command':
      return pressCommand(context, state, overlay, key);
    case 'filter':
      return pressFilter(context, state, overlay, key);
    case 'menu':
      return pressMenu(context, state, overlay, key);
    case 'form':
      return pressForm(state, overlay, key);
    case 'ask':
      return pressAsk(state, overlay, key);
  }
}

const closed = (state: State): State => ({ ...state, overlay: undefined });

const steps: Record<string, number> = {
  down: 1,
  j: 1,
  'wheel-down': 3,
  up: -1,
  k: -1,
  'wheel-up': -3,
};

function pressScroll(state: State, overlay: Of<'help'> | Of<'results'>, key: string, lines: number): State {
  const page = bodyRows(state);
  const by =
    steps[key] ??
    (['page-down', 'space', 'ctrl-d'].includes(key)
      ? page
      : ['page-up', 'ctrl-u'].includes(key)
        ? -page
        : undefined);
  if (by === undefined) return closed(state);
  // One line is the title.
  const top = Math.max(0, Math.min(overlay.top + by, lines + 1 - page));
  return { ...state, overlay: { ...overlay, top } };
}

function pressCommand(context: AppContext, state: State, overlay: Of<'command'>, key: string): State {
  const { input, picked } = overlay;
  const all = commandWords(context, actionsIn(context, topView(state)));
  const found = candidatesFor(input.text, all);
  const at = Math.min(picked, Math.max(0, found.length - 1));
  if (key === 'escape' || (key === 'backspace' && input.text === '')) return closed(state);
  if (key === 'enter') {
    // A candidate that was picked counts; a word that was written out is taken as it is.
    const known = all.some(({ word }) => word === input.text.trim());
    const line = !known && found.length > 0 ? found[at]!.word : input.text;
    if (line.trim() === '') return closed(state);
    return obeyed(context, closed(state), readCommand(line, context, actionsIn(context, topView(state))));
  }
  if (key === 'tab') return withInput(state, overlay, inputOf(found[at] ? `${found[at].word} ` : input.text));
  const by =
    key === 'down' || key === 'ctrl-n' ? 1 : key === 'up' || key === 'ctrl-p' || key === 'shift-tab' ? -1 : 0;
  if (by !== 0) {
    return {
      ...state,
      overlay: { ...overlay, picked: found.length === 0 ? 0 : (at + by + found.length) % found.length },
    };
  }
  return withInput(state, overlay, typeKey(input, key));
}

function obeyed(context: AppContext, state: State, command: Command): State {
  const view = topView(state);
  switch (command.kind) {
    case 'go': {
      const { resource, rest } = command;
      if (rest === '') return goTo(context, state, resource, placeIn(view));
      const meta = entryNamed(resource);
      // An item of something else needs its params; only here it is known.
      const pathParams = meta.parent ? placeIn(view) : {};
      return jumped(state, viewOf(context, { kind: 'item', resource, params: pathParams, id: rest }, rest));
    }
    case 'act': {
      const here = subjectsIn(context, view);
      return here ? asked(context, state, here.resource, command.action, here.subjects) : state;
    }
    case 'word':
      return wordObeyed(context, state, command.word);
    case 'unknown': {
      const close = command.close.join(', ');
      const text = context.t(close ? 'tui.unknown.close' : 'tui.unknown', { word: command.word, close });
      return { ...state, notice: { text, style: 'warning' } };
    }
  }
}

function wordObeyed(
  context: AppContext,
  state: State,
  word: Extract<Command, { kind: 'word' }>['word'],
): State {
  switch (word) {
    case 'home':
      return jumped(state, viewOf(context, { kind: 'home' }));
    case 'logs':
      return jumped(state, viewOf(context, { kind: 'stream' }));
    case 'help':
      return { ...state, overlay: { kind: 'help', top: 0 } };
    case 'reload':
      return { ...state, reloads: state.reloads + 1 };
    case 'quit':
      return { ...state, quit: true };
  }
}

function pressFilter(context: AppContext, state: State, overlay: Of<'filter'>, key: string): State {
  const view = topView(state);
  if (view.kind !== 'list') return closed(state);
  const height = bodyRows(state);
  if (key === 'escape') return withView(closed(state), withFilter(view, overlay.before, height));
  if (key === 'enter') return withView(closed(state), filtered(context, view, height));
  if (key === 'backspace' && overlay.input.text === '') return closed(state);
  if (key === 'up' || key === 'down') return closed(state);
  const input = typeKey(overlay.input, key);
  return withView(withInput(state, overlay, input), withFilter(view, input.text, height));
}

/** Enter on a filter: what is not all here, or is written as a filter of the API, is filtered by the server. */
function filtered(context: AppContext, view: ListView, height: number): ListView {
  const text = view.filter.trim();
  if (text === '' || view.target.kind !== 'list') return withFilter(view, text, height);
  const all = (view.items?.length ?? 0) >= view.total;
  if (all && !isGrammar(text)) return withFilter(view, text, height);
  const filter = isGrammar(text) ? text : serverFilter(entryNamed(view.resource), text, context.t);
  if (!filter) return withFilter(view, text, height);
  return {
    ...withFilter({ ...view, chosen: undefined, cursor: 0, top: 0 }, '', height),
    target: { ...view.target, filter },
    asked: text,
    items: undefined,
    shown: [],
    marks: new Set(),
  };
}

function isGrammar(text: string): boolean {
  try {
    parseFilter(text);
    return true;
  } catch {
    return false;
  }
}

/** The items of a menu that were typed for. */
export function menuShown({ items, input }: Of<'menu'>): readonly MenuItem[] {
  const typed = input.text.toLowerCase();
  return items.filter(({ text, choice }) =>
    `${text} ${choice.kind === 'action' ? choice.action.name : ''}`.toLowerCase().includes(typed),
  );
}

function pressMenu(context: AppContext, state: State, overlay: Of<'menu'>, key: string): State {
  const shown = menuShown(overlay);
  const at = Math.min(overlay.picked, Math.max(0, shown.length - 1));
  if (key === 'escape' || (key === 'backspace' && overlay.input.text === '')) return closed(state);
  if (key === 'enter') return shown[at] ? chosen(context, closed(state), shown[at]) : state;
  const by =
    key === 'down' || key === 'ctrl-n' || key === 'tab' || key === 'wheel-down'
      ? 1
      : key === 'up' || key === 'ctrl-p' || key === 'shift-tab' || key === 'wheel-up'
        ? -1
        : 0;
  if (by !== 0) {
    const picked = shown.length === 0 ? 0 : (at + by + shown.length) % shown.length;
    return { ...state, overlay: { ...overlay, picked } };
  }
  return withInput(state, overlay, typeKey(overlay.input, key));
}

function chosen(context: AppContext, state: State, { choice, refused }: MenuItem): State {
  if (refused) return { ...state, notice: { text: refused, style: 'warning' } };
  switch (choice.kind) {
    case 'action': {
      const subjects =
        choice.action.way === 'create'
          ? [{ id: undefined, params: placeIn(topView(state)), title: '', row: undefined }]
          : choice.subjects;
      return asked(context, state, choice.resource, choice.action, subjects);
    }
    case 'sort': {
      const view = topView(state);
      if (view.kind !== 'list' || view.target.kind !== 'list') return state;
      const now = (view.target.sort ?? entryNamed(view.resource).defaultSort).split(',')[0];
      const sort = now === choice.field ? `-${choice.field}` : choice.field;
      return withView(state, {
        ...view,
        target: { ...view.target, sort },
        chosen: undefined,
        cursor: 0,
        top: 0,
      });
    }
  }
}

/** Only a y, or the whole text where one is asked for, lets it be done. */
function pressAsk(state: State, overlay: Of<'ask'>, key: string): State {
  const { text, input, command } = overlay;
  if (text === undefined) return /^y$/i.test(key) ? requested(closed(state), command) : closed(state);
  if (key === 'escape') return closed(state);
  if (key !== 'enter') return withInput(state, overlay, typeKey(input, key));
  return input.text.trim() === text.trim() ? requested(closed(state), command) : state;
}

function withInput<O extends Exclude<Extract<Overlay, { input: Input }>, { kind: 'form' }>>(
  state: State,
  overlay: O,
  input: Input,
): State {
  if (input === overlay.input) return state;
  const reset = 'picked' in overlay && input.text !== overlay.input.text ? { picked: 0 } : {};
  const next = { ...state, overlay: { ...overlay, input, ...reset } };
  return overlay.kind === 'filter' ? fitted(next) : next;
}
