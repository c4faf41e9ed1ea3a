// `completion`: prints the shell script and computes completion candidates.
import type { Option } from 'commander';
import type { Command } from '../command-line/command.ts';
import { parseGlobalOptions } from '../command-line/global-options.ts';
import { parseChoice } from '../command-line/parse-choice.ts';
import { cleanLine } from '../terminal/clean.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readBashLine } from './bash-line.ts';
import { shellScripts } from './shell-scripts.ts';

export function completionScript(terminal: Terminal, shell: string): void {
  terminal.out.write(shellScripts[parseChoice('SHELL', shell, Object.keys(shellScripts))]!);
}

/**
 * Writes one line per candidate for the last word: the word, a tab and a description, or for bash what it is to
 * insert. bash passes its line as the only word, and its word breaks. All errors are ignored.
 */
export async function complete(
  terminal: Terminal,
  root: (argv: string[]) => Command,
  typed: readonly string[],
  wordBreaks?: string,
): Promise<void> {
  const line = wordBreaks === undefined ? undefined : readBashLine(typed.join(' '), wordBreaks);
  const words = line ? line.words.slice(1) : typed;
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  try {
    const { rest, profile = terminal.profile } = parseGlobalOptions(before);
    const argv = [...rest];
    const found = findCommand(root(argv), argv);
    for (const [word, help] of await completionsAt({ ...terminal, profile }, found, before, last)) {
      if (!word.startsWith(last)) continue;
      const shown = cleanLine(word);
      terminal.out.write(line ? `${line.toInsertion(shown)}\n` : `${shown}\t${cleanLine(help)}\n`);
    }
  } catch {
    // A shell cannot show errors during completion.
  }
}

interface CommandMatch {
  command: Command;
  /** Positional arguments after the command's name. */
  args: string[];
}

/** Finds the command named by the words. */
function findCommand(root: Command, words: readonly string[]): CommandMatch {
  let command = root;
  const args: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (word.startsWith('-')) {
      // The value of a flag is no argument.
      if (findOption(command.options, word)?.required) at += 1;
      continue;
    }
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next && args.length === 0) command = next as Command;
    else args.push(word);
  }
  return { command, args };
}

async function completionsAt(
  terminal: Terminal,
  { command, args }: CommandMatch,
  before: readonly string[],
  last: string,
): Promise<[string, string][]> {
  const options = [...command.options, ...globalOptions(command)];
  const [, inlineFlag = ''] = /^(--[^=]+)=/.exec(last) ?? [];
  const prefix = inlineFlag && `${inlineFlag}=`;
  const pendingOption = findOption(options, inlineFlag || (before.at(-1) ?? ''));
  const { completeArgument, completeOptionValue } = await import('./complete-names.ts');
  if (pendingOption && !pendingOption.isBoolean() && (pendingOption.required || pendingOption.optional)) {
    const values = await completeOptionValue(terminal, command, pendingOption, {
      before,
      typed: last.slice(prefix.length),
    });
    if (values.length > 0 || pendingOption.required)
      return values.map(([value, help]) => [prefix + value, help]);
  }
  if (last.startsWith('-')) {
    return options.filter((option) => option.long).map((option) => [option.long!, option.description]);
  }
  if (command.commands.length > 0 && args.length === 0) {
    return command.commands
      .filter((one) => !(one as Command & { _hidden?: boolean })._hidden)
      .map((one) => [one.name(), one.description()]);
  }
  return completeArgument(terminal, command, args, { before, typed: last });
}

/** Options accepted by every command at any position. */
function globalOptions(command: Command): readonly Option[] {
  let root = command;
  while (root.parent) root = root.parent as Command;
  return root === command ? [] : root.options.filter(({ long }) => long !== '--version');
}

function findOption(options: readonly Option[], flag: string): Option | undefined {
  return options.find(({ long, short }) => flag === long || flag === short);
}
