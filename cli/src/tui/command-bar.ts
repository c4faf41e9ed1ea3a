// The `:` line: names of resources and of what can be done, completed while they are typed.
import { closestMatch } from '../term/near.ts';
import { type Action, actWord } from './actions.ts';
import { type AppContext, nounFor, visibleEntries } from './world.ts';

export interface Candidate {
  /** What stands in the line. */
  word: string;
  /** What it means, in the language of the terminal. */
  note: string;
}

export type Command =
  | { kind: 'go'; resource: string; rest: string }
  | { kind: 'act'; action: Action }
  | { kind: 'word'; word: Word }
  | { kind: 'unknown'; word: string; close: readonly string[] };

const words = ['home', 'logs', 'help', 'reload', 'quit'] as const;
export type Word = (typeof words)[number];

/** Everything that can stand first in the line here. */
export function commandWords(context: AppContext, actions: readonly Action[]): Candidate[] {
  const { t } = context;
  return [
    ...visibleEntries(context).map((meta) => ({
      word: meta.singleton ? meta.name : meta.plural,
      note: nounFor(context, meta.name, 1),
    })),
    ...actions.map(({ name }) => ({ word: name, note: actWord(t, name) })),
    ...words.map((word) => ({ word, note: t(`tui.word.${word}`) })),
  ];
}

/** The candidates for what was typed: those that begin with it, then those that have it anywhere, names of either language. */
export function candidatesFor(text: string, all: readonly Candidate[]): Candidate[] {
  const typed = text.trimStart().toLowerCase();
  if (/\s/.test(typed)) return [];
  const rank = ({ word, note }: Candidate) =>
    word === typed ? 0 : word.startsWith(typed) ? 1 : note.toLowerCase().startsWith(typed) ? 2 : 3;
  return all
    .filter(({ word, note }) => `${word} ${note.toLowerCase()}`.includes(typed))
    .map((candidate, index) => ({ candidate, index }))
    .sort((a, b) => rank(a.candidate) - rank(b.candidate) || a.index - b.index)
    .map(({ candidate }) => candidate);
}

/** What a finished line asks for. */
export function readCommand(line: string, context: AppContext, actions: readonly Action[]): Command {
  const [first = '', ...others] = line.trim().split(/\s+/);
  const rest = others.join(' ');
  if ((words as readonly string[]).includes(first)) return { kind: 'word', word: first as Word };
  if (first === 'q') return { kind: 'word', word: 'quit' };
  const entry = visibleEntries(context).find(({ name, plural, noun }) =>
    [name, plural, ...noun.en, noun.ja].includes(first),
  );
  if (entry) return { kind: 'go', resource: entry.name, rest };
  const action = actions.find(({ name }) => name === first);
  if (action) return { kind: 'act', action };
  const all = commandWords(context, actions);
  const begun = candidatesFor(first, all);
  if (begun.length === 1 && begun[0]!.word !== first && rest === '')
    return readCommand(begun[0]!.word, context, actions);
  const known = all.map(({ word }) => word);
  const close = begun.length > 0 ? begun.slice(0, 5).map(({ word }) => word) : closestMatch(first, known);
  return { kind: 'unknown', word: first, close };
}
