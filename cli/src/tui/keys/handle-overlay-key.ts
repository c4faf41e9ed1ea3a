// Handles keys in overlays: help, command line, filter, menu, confirmation, results.
import { parseFilter } from '@yagura/core/query/filter';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { applyTextKey, createTextInput, type TextInput } from '../form/text-input.ts';
import type { AppContext } from '../state/app-context.ts';
import {
  commandCompletions,
  matchCompletions,
  type ParsedCommand,
  parseCommand,
} from '../state/command-bar.ts';
import { withFilter } from '../state/list-view.ts';
import { createView, openFromHome, pathParamsIn } from '../state/navigation.ts';
import { availableActions, requestAction, requestEffect, selectionIn } from '../state/request-action.ts';
import { combineFilters, toServerFilter } from '../state/server-filter.ts';
import { bodyRows, type ListView, type MenuItem, type Overlay, type State, topView } from '../state/state.ts';
import { handleFormKey } from './handle-form-key.ts';
import { fitToSize, goToResource, keyScopeOf, replaceTopView } from './handle-view-key.ts';
import { keyBindingsIn } from './key-bindings.ts';

type OverlayOf<K extends Overlay['kind']> = Extract<Overlay, { kind: K }>;

export function handleOverlayKey(context: AppContext, state: State, overlay: Overlay, key: string): State {
  switch (overlay.kind) {
    case 'help':
      return handleScrollKey(state, overlay, key, keyBindingsIn(keyScopeOf(topView(state))).length);
    case 'results':
      return handleScrollKey(state, overlay, key, overlay.lines.length);
    case 'command':
      return handleCommandKey(context, state, overlay, key);
    case 'filter':
      return handleFilterKey(context, state, overlay, key);
    case 'menu':
      return handleMenuKey(context, state, overlay, key);
    case 'form':
      return handleFormKey(state, overlay, key);
    case 'ask':
      return /^y$/i.test(key) ? requestEffect(closeOverlay(state), overlay.command) : closeOverlay(state);
    case 'ask-text':
      return handleConfirmTextKey(state, overlay, key);
  }
}

const closeOverlay = (state: State): State => ({ ...state, overlay: undefined });

const scrollSteps: Record<string, number> = {
  down: 1,
  j: 1,
  'wheel-down': 3,
  up: -1,
  k: -1,
  'wheel-up': -3,
};

function handleScrollKey(
  state: State,
  overlay: OverlayOf<'help'> | OverlayOf<'results'>,
  key: string,
  lines: number,
): State {
  const page = bodyRows(state);
  const by =
    scrollSteps[key] ??
    (['page-down', 'space', 'ctrl-d'].includes(key)
      ? page
      : ['page-up', 'ctrl-u'].includes(key)
        ? -page
        : undefined);
  if (by === undefined) return closeOverlay(state);
  // The title takes one line.
  const scrollTop = Math.max(0, Math.min(overlay.scrollTop + by, lines + 1 - page));
  return { ...state, overlay: { ...overlay, scrollTop } };
}

function handleCommandKey(
  context: AppContext,
  state: State,
  overlay: OverlayOf<'command'>,
  key: string,
): State {
  const { input, picked } = overlay;
  const all = commandCompletions(context, availableActions(context, topView(state)));
  const found = matchCompletions(input.text, all);
  const at = Math.min(picked, Math.max(0, found.length - 1));
  if (key === 'escape' || (key === 'backspace' && input.text === '')) return closeOverlay(state);
  if (key === 'enter') {
    // The selected candidate is used, unless the input is a complete word.
    const known = all.some(({ word }) => word === input.text.trim());
    const line = !known && found.length > 0 ? found[at]!.word : input.text;
    return runCommand(
      context,
      closeOverlay(state),
      parseCommand(line, context, availableActions(context, topView(state))),
    );
  }
  if (key === 'tab')
    return setOverlayInput(state, overlay, createTextInput(found[at] ? `${found[at].word} ` : input.text));
  const by =
    key === 'down' || key === 'ctrl-n' ? 1 : key === 'up' || key === 'ctrl-p' || key === 'shift-tab' ? -1 : 0;
  if (by !== 0) {
    return {
      ...state,
      overlay: { ...overlay, picked: found.length === 0 ? 0 : (at + by + found.length) % found.length },
    };
  }
  return setOverlayInput(state, overlay, applyTextKey(input, key));
}

function runCommand(context: AppContext, state: State, command: ParsedCommand): State {
  const view = topView(state);
  switch (command.kind) {
    case 'go': {
      const { resource, rest } = command;
      if (rest === '') return goToResource(context, state, resource, pathParamsIn(view));
      const meta = resourceNamed(resource);
      // An item of a nested resource needs path parameters, known only in this view.
      const pathParams = meta.parent ? pathParamsIn(view) : {};
      return openFromHome(
        state,
        createView(context, { kind: 'item', resource, params: pathParams, id: rest }, rest),
      );
    }
    case 'act': {
      const selection = selectionIn(context, view);
      return selection
        ? requestAction(context, state, selection.resource, command.action, selection.subjects)
        : state;
    }
    case 'word':
      return runBuiltinCommand(context, state, command.word);
    case 'unknown': {
      const close = command.suggestions.join(', ');
      const text = context.t(close ? 'tui.unknown.close' : 'tui.unknown', { word: command.word, close });
      return { ...state, notice: { text, style: 'warning' } };
    }
  }
}

function runBuiltinCommand(
  context: AppContext,
  state: State,
  word: Extract<ParsedCommand, { kind: 'word' }>['word'],
): State {
  switch (word) {
    case 'home':
      return openFromHome(state, createView(context, { kind: 'home' }));
    case 'sonar':
      return openFromHome(state, createView(context, { kind: 'sonar' }));
    case 'logs':
      return openFromHome(state, createView(context, { kind: 'stream' }));
    case 'help':
      return { ...state, overlay: { kind: 'help', scrollTop: 0 } };
    case 'reload':
      return { ...state, reloadCount: state.reloadCount + 1 };
    case 'quit':
      return { ...state, quit: true };
  }
}

function handleFilterKey(
  context: AppContext,
  state: State,
  overlay: OverlayOf<'filter'>,
  key: string,
): State {
  const view = topView(state);
  if (view.kind !== 'list') return closeOverlay(state);
  const height = bodyRows(state);
  if (key === 'escape')
    return replaceTopView(closeOverlay(state), withFilter(view, overlay.previousFilter, height));
  if (key === 'enter') return replaceTopView(closeOverlay(state), submitFilter(context, view, height));
  if (key === 'backspace' && overlay.input.text === '') return closeOverlay(state);
  if (key === 'up' || key === 'down') return closeOverlay(state);
  const input = applyTextKey(overlay.input, key);
  return replaceTopView(setOverlayInput(state, overlay, input), withFilter(view, input.text, height));
}

/** Enter in a filter: when rows are missing locally, or the input is an API filter, the server filters. */
function submitFilter(context: AppContext, view: ListView, height: number): ListView {
  const text = view.filter.trim();
  if (text === '' || view.target.kind !== 'list') return withFilter(view, text, height);
  const all = (view.items?.length ?? 0) >= view.total;
  if (all && !isFilterExpression(text)) return withFilter(view, text, height);
  const filter = isFilterExpression(text)
    ? text
    : toServerFilter(resourceNamed(view.resource), text, context.t);
  if (!filter) return withFilter(view, text, height);
  return {
    ...withFilter({ ...view, selectedId: undefined, cursor: 0, scrollTop: 0 }, '', height),
    target: { ...view.target, filter: combineFilters(view.baseFilter, filter)! },
    serverQuery: text,
    items: undefined,
    visibleItems: [],
    marks: new Set(),
  };
}

function isFilterExpression(text: string): boolean {
  try {
    parseFilter(text);
    return true;
  } catch {
    return false;
  }
}

/** The menu items that match the input. */
export function visibleMenuItems({ items, input }: OverlayOf<'menu'>): readonly MenuItem[] {
  const typed = input.text.toLowerCase();
  return items.filter(({ text, choice }) =>
    `${text} ${choice.kind === 'action' ? choice.action.name : ''}`.toLowerCase().includes(typed),
  );
}

function handleMenuKey(context: AppContext, state: State, overlay: OverlayOf<'menu'>, key: string): State {
  const shown = visibleMenuItems(overlay);
  const at = Math.min(overlay.picked, Math.max(0, shown.length - 1));
  if (key === 'escape' || (key === 'backspace' && overlay.input.text === '')) return closeOverlay(state);
  if (key === 'enter') return shown[at] ? chooseMenuItem(context, closeOverlay(state), shown[at]) : state;
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
  return setOverlayInput(state, overlay, applyTextKey(overlay.input, key));
}

function chooseMenuItem(context: AppContext, state: State, { choice, refused }: MenuItem): State {
  if (refused) return { ...state, notice: { text: refused, style: 'warning' } };
  switch (choice.kind) {
    case 'action': {
      const subjects =
        choice.action.operation === 'create'
          ? [{ id: undefined, params: pathParamsIn(topView(state)), title: '', row: undefined }]
          : choice.subjects;
      return requestAction(context, state, choice.resource, choice.action, subjects);
    }
    case 'sort': {
      const view = topView(state);
      if (view.kind !== 'list' || view.target.kind !== 'list') return state;
      const now = (view.target.sort ?? resourceNamed(view.resource).defaultSort).split(',')[0];
      const sort = now === choice.field ? `-${choice.field}` : choice.field;
      return replaceTopView(state, {
        ...view,
        target: { ...view.target, sort },
        selectedId: undefined,
        cursor: 0,
        scrollTop: 0,
      });
    }
  }
}

/** Only the full text confirms, if one is requested. */
function handleConfirmTextKey(state: State, overlay: OverlayOf<'ask-text'>, key: string): State {
  const { text, input, command } = overlay;
  if (key === 'escape') return closeOverlay(state);
  if (key !== 'enter') return setOverlayInput(state, overlay, applyTextKey(input, key));
  const typed = input.text.trim();
  if (text === undefined) return requestEffect(closeOverlay(state), { ...command, note: typed });
  return typed === text.trim() ? requestEffect(closeOverlay(state), command) : state;
}

function setOverlayInput<O extends Exclude<Extract<Overlay, { input: TextInput }>, { kind: 'form' }>>(
  state: State,
  overlay: O,
  input: TextInput,
): State {
  if (input === overlay.input) return state;
  const reset = 'picked' in overlay && input.text !== overlay.input.text ? { picked: 0 } : {};
  const next = { ...state, overlay: { ...overlay, input, ...reset } };
  return overlay.kind === 'filter' ? fitToSize(next) : next;
}
