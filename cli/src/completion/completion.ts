// `completion`: prints the shell script and computes completion candidates.
import type { Option } from 'commander';
import type { Command } from '../command-line/command.ts';
import { parseGlobalOptions } from '../command-line/global-options.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { cleanLine } from '../terminal/clean.ts';
import type { Terminal } from '../terminal/terminal.ts';

const scripts: Record<string, string> = {
  bash: `_yagura() {
  local IFS=$'\\n' word="\${COMP_WORDS[COMP_CWORD]}"
  local words
  words="$(yagura __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)"
  COMPREPLY=()
  local one
  for one in $words; do
    [[ "$one" == "$word"* ]] && COMPREPLY+=("$(printf '%q' "$one")")
  done
}
complete -o default -F _yagura yagura
`,
  zsh: `#compdef yagura
_yagura() {
  local -a found
  local line
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(yagura __complete -- "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)
  if (( \${#found} )); then _describe 'yagura' found; else _files; fi
}
compdef _yagura yagura
`,
  fish: `function __yagura_complete
  set -l words (commandline -opc) (commandline -ct)
  yagura __complete -- $words[2..-1] 2>/dev/null
end
complete -c yagura -f -a '(__yagura_complete)'
complete -c yagura -n 'not count (__yagura_complete)' -F
`,
};

export function completionScript(terminal: Terminal, shell: string): void {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (!script)
    throw new UsageError('cli.usage.choice', { flag: 'SHELL', values: Object.keys(scripts).join(', ') });
  terminal.out.write(script);
}

/**
 * Writes one line per candidate for the last word: the word, a tab and a description. All errors are ignored.
 */
export async function complete(
  terminal: Terminal,
  root: (argv: string[]) => Command,
  typed: readonly string[],
): Promise<void> {
  const before = typed.slice(0, -1);
  const last = typed.at(-1) ?? '';
  try {
    const argv = [...parseGlobalOptions(before).rest];
    const found = findCommand(root(argv), argv);
    const words = await completionsAt(terminal, found, before, last);
    for (const [word, help] of words) {
      if (word.startsWith(last)) terminal.out.write(`${cleanLine(word)}\t${cleanLine(help)}\n`);
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
  const pendingOption = findOption(options, before.at(-1) ?? '');
  const { completeArgument, completeOptionValue } = await import('./complete-names.ts');
  if (pendingOption && !pendingOption.isBoolean() && (pendingOption.required || pendingOption.optional)) {
    const values = await completeOptionValue(terminal, command, pendingOption);
    if (values.length > 0 || pendingOption.required) return values;
  }
  if (last.startsWith('-')) {
    return options.filter((option) => option.long).map((option) => [option.long!, option.description]);
  }
  if (command.commands.length > 0 && args.length === 0) {
    return command.commands
      .filter((one) => !(one as Command & { _hidden?: boolean })._hidden)
      .map((one) => [one.name(), one.description()]);
  }
  return completeArgument(terminal, command, args, before);
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
