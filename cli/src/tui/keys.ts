// The keys of the full-screen view: one table that the reducer obeys, and that the help and the manual show.

export type Act =
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

/** Where a key means something; everywhere when absent. */
export type Room = 'home' | 'list' | 'sheet' | 'stream';

export interface KeyEntry {
  act: Act;
  keys: readonly string[];
  /** Word that says what it does. */
  word: string;
  rooms?: readonly Room[];
  /** Changes something: asks first and is marked in the help. */
  danger?: boolean;
  /** Shown in the line of keys at the bottom, by its first key and this word. */
  hint?: string;
}

export const keyTable: readonly KeyEntry[] = [
  { act: 'down', keys: ['j', 'down'], word: 'tui.key.down' },
  { act: 'up', keys: ['k', 'up'], word: 'tui.key.up' },
  { act: 'half-down', keys: ['ctrl-d'], word: 'tui.key.half-down' },
  { act: 'half-up', keys: ['ctrl-u'], word: 'tui.key.half-up' },
  { act: 'page-down', keys: ['page-down', 'ctrl-f'], word: 'tui.key.page-down' },
  { act: 'page-up', keys: ['page-up', 'ctrl-b'], word: 'tui.key.page-up' },
  { act: 'first', keys: ['g', 'home'], word: 'tui.key.first' },
  { act: 'last', keys: ['G', 'end'], word: 'tui.key.last' },
  { act: 'scroll-down', keys: ['wheel-down'], word: 'tui.key.scroll-down' },
  { act: 'scroll-up', keys: ['wheel-up'], word: 'tui.key.scroll-up' },
  { act: 'enter', keys: ['enter', 'l', 'right'], word: 'tui.key.enter', hint: 'tui.hint.enter' },
  {
    act: 'back',
    keys: ['escape', 'h', 'left', 'q'],
    word: 'tui.key.back',
    rooms: ['list', 'sheet', 'stream'],
    hint: 'tui.hint.back',
  },
  { act: 'home', keys: ['H'], word: 'tui.key.home', rooms: ['list', 'sheet', 'stream'] },
  { act: 'command', keys: [':'], word: 'tui.key.command', hint: 'tui.hint.command' },
  { act: 'filter', keys: ['/'], word: 'tui.key.filter', rooms: ['list', 'stream'], hint: 'tui.hint.filter' },
  { act: 'sort', keys: ['s'], word: 'tui.key.sort', rooms: ['list'], hint: 'tui.hint.sort' },
  { act: 'mark', keys: ['space'], word: 'tui.key.mark', rooms: ['list'], hint: 'tui.hint.mark' },
  { act: 'mark-all', keys: ['A'], word: 'tui.key.mark-all', rooms: ['list'] },
  {
    act: 'pause',
    keys: ['p', 'space'],
    word: 'tui.key.pause',
    rooms: ['stream'],
    hint: 'tui.hint.pause',
  },
  { act: 'form', keys: ['v'], word: 'tui.key.form', rooms: ['sheet'], hint: 'tui.hint.form' },
  {
    act: 'actions',
    keys: ['a'],
    word: 'tui.key.actions',
    rooms: ['list', 'sheet', 'stream'],
    danger: true,
    hint: 'tui.hint.actions',
  },
  { act: 'create', keys: ['n'], word: 'tui.key.create', rooms: ['list'], danger: true },
  { act: 'edit', keys: ['e'], word: 'tui.key.edit', rooms: ['list', 'sheet'], danger: true },
  { act: 'edit-text', keys: ['E'], word: 'tui.key.edit-text', rooms: ['list', 'sheet'], danger: true },
  { act: 'toggle', keys: ['t'], word: 'tui.key.toggle', rooms: ['list', 'sheet'], danger: true },
  { act: 'remove', keys: ['D'], word: 'tui.key.remove', rooms: ['list', 'sheet'], danger: true },
  { act: 'copy', keys: ['y'], word: 'tui.key.copy' },
  { act: 'copy-command', keys: ['Y'], word: 'tui.key.copy-command' },
  { act: 'open', keys: ['o'], word: 'tui.key.open' },
  { act: 'reload', keys: ['r'], word: 'tui.key.reload' },
  { act: 'mouse', keys: ['m'], word: 'tui.key.mouse' },
  { act: 'help', keys: ['?'], word: 'tui.key.help', hint: 'tui.hint.help' },
  { act: 'quit', keys: ['q'], word: 'tui.key.quit', rooms: ['home'] },
  { act: 'suspend', keys: ['ctrl-z'], word: 'tui.key.suspend' },
  { act: 'quit', keys: ['Q', 'ctrl-c'], word: 'tui.key.quit', hint: 'tui.hint.quit' },
];

/** What a key does in a room, outside of text input; undefined for keys without a meaning there. */
export function actOf(key: string, room: Room): Act | undefined {
  return keysIn(room).find((entry) => entry.keys.includes(key))?.act;
}

/** The entries of the table that hold in a room. */
export function keysIn(room: Room): readonly KeyEntry[] {
  return keyTable.filter(({ rooms }) => !rooms || rooms.includes(room));
}
