// `completion`: the script of a shell, and the words that may follow what has been typed so far.
import type { Option } from 'commander';
import { cleanLine } from './term/clean.ts';
import type { Command } from './term/command.ts';
import { readGlobals } from './term/globals.ts';
import type { Terminal } from './term/terminal.ts';
import { Usage } from './term/usage.ts';

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
    throw new Usage('cli.usage.choice', { flag: 'SHELL', values: Object.keys(scripts).join(', ') });
  terminal.out.write(script);
}

/** Writes a line for each word that may stand last: the word, a tab and what it is. Silent about everything that fails. */
export async function complete(
  terminal: Terminal,
  root: (argv: string[]) => Command,
  typed: readonly string[],
): Promise<void> {
  const before = typed.slice(0, -1);
  const last = typed.at(-1) ?? '';
  try {
    const argv = [...readGlobals(before).rest];
    const found = commandAt(root(argv), argv);
    const words = await wordsAt(terminal, found, before, last);
    for (const [word, help] of words) {
      if (word.startsWith(last)) terminal.out.write(`${cleanLine(word)}\t${cleanLine(help)}\n`);
    }
  } catch {
    // A shell that completes has no place for complaints.
  }
}

interface Place {
  command: Command;
  /** Words after the command's own that are no flags. */
  given: string[];
}

/** The command that the words lead to. */
function commandAt(root: Command, words: readonly string[]): Place {
  let command = root;
  const given: string[] = [];
  for (const word of words) {
    if (word.startsWith('-')) continue;
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next && given.length === 0) command = next as Command;
    else given.push(word);
  }
  return { command, given };
}

async function wordsAt(
  terminal: Terminal,
  { command, given }: Place,
  before: readonly string[],
  last: string,
): Promise<[string, string][]> {
  const options = [...command.options, ...globalOptions(command)];
  const open = options.find((option) => flagsOf(option).includes(before.at(-1) ?? ''));
  const { resourceWords, valuesOf } = await import('./resource/complete-names.ts');
  if (open && !open.isBoolean() && (open.required || open.optional)) {
    const values = await valuesOf(terminal, command, open);
    if (values.length > 0 || open.required) return values;
  }
  if (last.startsWith('-')) {
    return options.filter((option) => option.long).map((option) => [option.long!, option.description]);
  }
  if (command.commands.length > 0 && given.length === 0) {
    return command.commands
      .filter((one) => !(one as Command & { _hidden?: boolean })._hidden)
      .map((one) => [one.name(), one.description()]);
  }
  return resourceWords(terminal, command, given, before);
}

/** Options that every command takes, wherever they stand. */
function globalOptions(command: Command): readonly Option[] {
  let root = command;
  while (root.parent) root = root.parent as Command;
  return root === command ? [] : root.options.filter(({ long }) => long !== '--version');
}

function flagsOf(option: Option): string[] {
  return [option.long, option.short].filter((flag) => flag !== undefined);
}
