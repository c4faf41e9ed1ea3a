// The `:` command line: resource names and actions, with completion.
import { closestMatch } from '../../command-line/closest-match.ts';
import { type AppContext, nounFor, visibleResources } from './app-context.ts';
import { actionLabel, type ResourceAction } from './resource-actions.ts';

export interface Completion {
  /** The completed word. */
  word: string;
  /** Its meaning in the language of the terminal. */
  note: string;
}

export type ParsedCommand =
  | { kind: 'go'; resource: string; rest: string }
  | { kind: 'act'; action: ResourceAction }
  | { kind: 'word'; word: BuiltinCommand }
  | { kind: 'unknown'; word: string; suggestions: readonly string[] };

const builtinCommands = ['home', 'sonar', 'logs', 'help', 'reload', 'quit'] as const;
export type BuiltinCommand = (typeof builtinCommands)[number];

/** All words that can start a command in this view. */
export function commandCompletions(context: AppContext, actions: readonly ResourceAction[]): Completion[] {
  const { t } = context;
  return [
    ...visibleResources(context).map((meta) => ({
      word: meta.singleton ? meta.name : meta.plural,
      note: nounFor(context, meta.name, 1),
    })),
    ...actions.map(({ name }) => ({ word: name, note: actionLabel(t, name) })),
    ...builtinCommands.map((word) => ({ word, note: t(`tui.word.${word}`) })),
  ];
}

/** Candidates for the input: prefix matches first, then substring matches, in both languages. */
export function matchCompletions(text: string, all: readonly Completion[]): Completion[] {
  const typed = text.trimStart().toLowerCase();
  if (/\s/.test(typed)) return [];
  const rank = ({ word, note }: Completion) =>
    word === typed ? 0 : word.startsWith(typed) ? 1 : note.toLowerCase().startsWith(typed) ? 2 : 3;
  return all
    .filter(({ word, note }) => `${word} ${note.toLowerCase()}`.includes(typed))
    .map((candidate, index) => ({ candidate, index }))
    .sort((a, b) => rank(a.candidate) - rank(b.candidate) || a.index - b.index)
    .map(({ candidate }) => candidate);
}

/** Parses a submitted line. */
export function parseCommand(
  line: string,
  context: AppContext,
  actions: readonly ResourceAction[],
): ParsedCommand {
  const [first = '', ...others] = line.trim().split(/\s+/);
  const rest = others.join(' ');
  if ((builtinCommands as readonly string[]).includes(first))
    return { kind: 'word', word: first as BuiltinCommand };
  if (first === 'q') return { kind: 'word', word: 'quit' };
  const entry = visibleResources(context).find(({ name, plural, noun }) =>
    [name, plural, ...noun.en, noun.ja].includes(first),
  );
  if (entry) return { kind: 'go', resource: entry.name, rest };
  const action = actions.find(({ name }) => name === first);
  if (action) return { kind: 'act', action };
  const all = commandCompletions(context, actions);
  const matches = matchCompletions(first, all);
  if (matches.length === 1 && matches[0]!.word !== first && rest === '')
    return parseCommand(matches[0]!.word, context, actions);
  const known = all.map(({ word }) => word);
  const suggestions =
    matches.length > 0 ? matches.slice(0, 5).map(({ word }) => word) : closestMatch(first, known);
  return { kind: 'unknown', word: first, suggestions };
}
