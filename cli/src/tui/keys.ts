// The keys of the full-screen view: one table that the reducer obeys and the help shows.

export type Act =
  | 'down'
  | 'up'
  | 'page-down'
  | 'page-up'
  | 'first'
  | 'last'
  | 'enter'
  | 'back'
  | 'next-view'
  | 'filter'
  | 'reload'
  | 'open'
  | 'reset'
  | 'help'
  | 'quit';

export interface KeyEntry {
  act: Act;
  keys: readonly string[];
  /** Word that says what it does. */
  word: string;
  /** Changes something; asks first and is marked in the help. */
  danger?: boolean;
}

export const keyTable: readonly KeyEntry[] = [
  { act: 'down', keys: ['j', 'down'], word: 'tui.key.down' },
  { act: 'up', keys: ['k', 'up'], word: 'tui.key.up' },
  { act: 'page-down', keys: ['page-down', 'space'], word: 'tui.key.page-down' },
  { act: 'page-up', keys: ['page-up', 'b'], word: 'tui.key.page-up' },
  { act: 'first', keys: ['g', 'home'], word: 'tui.key.first' },
  { act: 'last', keys: ['G', 'end'], word: 'tui.key.last' },
  { act: 'enter', keys: ['enter', 'l', 'right'], word: 'tui.key.enter' },
  { act: 'back', keys: ['escape', 'h', 'left'], word: 'tui.key.back' },
  { act: 'next-view', keys: ['tab'], word: 'tui.key.next-view' },
  { act: 'filter', keys: ['/'], word: 'tui.key.filter' },
  { act: 'reload', keys: ['r'], word: 'tui.key.reload' },
  { act: 'open', keys: ['o'], word: 'tui.key.open' },
  { act: 'reset', keys: ['R'], word: 'tui.key.reset', danger: true },
  { act: 'help', keys: ['?'], word: 'tui.key.help' },
  { act: 'quit', keys: ['q', 'ctrl-c'], word: 'tui.key.quit' },
];

/** What a key does outside of text input; undefined for keys without a meaning. */
export function actOf(key: string): Act | undefined {
  return keyTable.find((entry) => entry.keys.includes(key))?.act;
}

/** The parts of a key press as the terminal library reports it. */
export interface Press {
  upArrow?: boolean;
  downArrow?: boolean;
  leftArrow?: boolean;
  rightArrow?: boolean;
  pageUp?: boolean;
  pageDown?: boolean;
  home?: boolean;
  end?: boolean;
  return?: boolean;
  escape?: boolean;
  tab?: boolean;
  backspace?: boolean;
  delete?: boolean;
  ctrl?: boolean;
  meta?: boolean;
}

const special: readonly [keyof Press, string][] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'page-up'],
  ['pageDown', 'page-down'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'backspace'],
];

/** The keys of one report. Fast typing and pasting arrive as one string and become one key a character. */
export function keysOf(input: string, press: Press): string[] {
  const name = special.find(([part]) => press[part])?.[1];
  if (name) return [name];
  if (press.ctrl) return input === '' ? [] : [`ctrl-${input}`];
  return [...input].flatMap((character) => {
    if (character === '\r' || character === '\n') return ['enter'];
    if (character === '\t') return ['tab'];
    if (character === '\x7f' || character === '\b') return ['backspace'];
    if (character === '\x1b') return ['escape'];
    if (character === '\x03') return ['ctrl-c'];
    if (character === ' ') return ['space'];
    return character < ' ' ? [] : [character];
  });
}
