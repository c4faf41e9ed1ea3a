// Key bindings of the full-screen view: one table used by the reducer, the help and the manual.
import type { MessageKey } from '@yagura/core/i18n/message-key';

export type KeyAction =
  | 'down'
  | 'up'
  | 'page-down'
  | 'page-up'
  | 'half-down'
  | 'half-up'
  | 'first'
  | 'last'
  | 'scroll-down'
  | 'scroll-up'
  | 'enter'
  | 'back'
  | 'home'
  | 'command'
  | 'filter'
  | 'sort'
  | 'mark'
  | 'mark-all'
  | 'actions'
  | 'create'
  | 'edit'
  | 'edit-text'
  | 'remove'
  | 'toggle'
  | 'form'
  | 'copy'
  | 'copy-command'
  | 'open'
  | 'pause'
  | 'reload'
  | 'help'
  | 'mouse'
  | 'suspend'
  | 'quit';

/** Context in which a key is active; all contexts when omitted. */
export type KeyScope = 'home' | 'list' | 'sheet' | 'stream';

export interface KeyBinding {
  action: KeyAction;
  keys: readonly string[];
  /** Message key of the description. */
  labelKey: MessageKey;
  scopes?: readonly KeyScope[];
  /** Changes something: asks for confirmation and is marked in the help. */
  danger?: boolean;
  /** Message key of the hint in the footer, shown with the first key. */
  hintKey?: MessageKey;
}

export const keyBindings: readonly KeyBinding[] = [
  { action: 'down', keys: ['j', 'down'], labelKey: 'tui.key.down' },
  { action: 'up', keys: ['k', 'up'], labelKey: 'tui.key.up' },
  { action: 'half-down', keys: ['ctrl-d'], labelKey: 'tui.key.half-down' },
  { action: 'half-up', keys: ['ctrl-u'], labelKey: 'tui.key.half-up' },
  { action: 'page-down', keys: ['page-down', 'ctrl-f'], labelKey: 'tui.key.page-down' },
  { action: 'page-up', keys: ['page-up', 'ctrl-b'], labelKey: 'tui.key.page-up' },
  { action: 'first', keys: ['g', 'home'], labelKey: 'tui.key.first' },
  { action: 'last', keys: ['G', 'end'], labelKey: 'tui.key.last' },
  { action: 'scroll-down', keys: ['wheel-down'], labelKey: 'tui.key.scroll-down' },
  { action: 'scroll-up', keys: ['wheel-up'], labelKey: 'tui.key.scroll-up' },
  { action: 'enter', keys: ['enter', 'l', 'right'], labelKey: 'tui.key.enter', hintKey: 'tui.hint.enter' },
  {
    action: 'back',
    keys: ['escape', 'h', 'left', 'q'],
    labelKey: 'tui.key.back',
    scopes: ['list', 'sheet', 'stream'],
    hintKey: 'tui.hint.back',
  },
  { action: 'home', keys: ['H'], labelKey: 'tui.key.home', scopes: ['list', 'sheet', 'stream'] },
  { action: 'command', keys: [':'], labelKey: 'tui.key.command', hintKey: 'tui.hint.command' },
  {
    action: 'filter',
    keys: ['/'],
    labelKey: 'tui.key.filter',
    scopes: ['list', 'stream'],
    hintKey: 'tui.hint.filter',
  },
  { action: 'sort', keys: ['s'], labelKey: 'tui.key.sort', scopes: ['list'], hintKey: 'tui.hint.sort' },
  { action: 'mark', keys: ['space'], labelKey: 'tui.key.mark', scopes: ['list'], hintKey: 'tui.hint.mark' },
  { action: 'mark-all', keys: ['A'], labelKey: 'tui.key.mark-all', scopes: ['list'] },
  {
    action: 'pause',
    keys: ['p', 'space'],
    labelKey: 'tui.key.pause',
    scopes: ['stream'],
    hintKey: 'tui.hint.pause',
  },
  { action: 'form', keys: ['v'], labelKey: 'tui.key.form', scopes: ['sheet'], hintKey: 'tui.hint.form' },
  {
    action: 'actions',
    keys: ['a'],
    labelKey: 'tui.key.actions',
    scopes: ['list', 'sheet', 'stream'],
    danger: true,
    hintKey: 'tui.hint.actions',
  },
  { action: 'create', keys: ['n'], labelKey: 'tui.key.create', scopes: ['list'], danger: true },
  { action: 'edit', keys: ['e'], labelKey: 'tui.key.edit', scopes: ['list', 'sheet'], danger: true },
  {
    action: 'edit-text',
    keys: ['E'],
    labelKey: 'tui.key.edit-text',
    scopes: ['list', 'sheet'],
    danger: true,
  },
  { action: 'toggle', keys: ['t'], labelKey: 'tui.key.toggle', scopes: ['list', 'sheet'], danger: true },
  { action: 'remove', keys: ['D'], labelKey: 'tui.key.remove', scopes: ['list', 'sheet'], danger: true },
  { action: 'copy', keys: ['y'], labelKey: 'tui.key.copy' },
  { action: 'copy-command', keys: ['Y'], labelKey: 'tui.key.copy-command' },
  { action: 'open', keys: ['o'], labelKey: 'tui.key.open' },
  { action: 'reload', keys: ['r'], labelKey: 'tui.key.reload' },
  { action: 'mouse', keys: ['m'], labelKey: 'tui.key.mouse' },
  { action: 'help', keys: ['?'], labelKey: 'tui.key.help', hintKey: 'tui.hint.help' },
  { action: 'quit', keys: ['q'], labelKey: 'tui.key.quit', scopes: ['home'] },
  { action: 'suspend', keys: ['ctrl-z'], labelKey: 'tui.key.suspend' },
  { action: 'quit', keys: ['Q', 'ctrl-c'], labelKey: 'tui.key.quit', hintKey: 'tui.hint.quit' },
];

/** The action of a key in a context, outside text input; undefined for unbound keys. */
export function keyActionFor(key: string, scope: KeyScope): KeyAction | undefined {
  return keyBindingsIn(scope).find((entry) => entry.keys.includes(key))?.action;
}

/** The bindings active in a context. */
export function keyBindingsIn(scope: KeyScope): readonly KeyBinding[] {
  return keyBindings.filter(({ scopes }) => !scopes || scopes.includes(scope));
}
