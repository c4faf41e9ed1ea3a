// Generates manual pages (man(7)) from the command definitions.
import type { Translate } from '@yagura/core/i18n/translator';
import type { Command, Option } from 'commander';
import { commandPath, leafCommands } from '../command-line/command-path.ts';
import { environmentVariables } from '../command-line/help/environment.ts';
import { examplesOf } from '../command-line/help/examples.ts';
import { exitMeanings } from '../command-line/help/exit-meanings.ts';

export interface ManualRelease {
  version: string;
  /** YYYY-MM-DD. */
  date: string;
  /** Names of the other pages, with their section: `yagura(1)`. */
  seeAlso: readonly string[];
}

/** One page for a command and its subcommands. */
export function formatManPage(command: Command, release: ManualRelease, t: Translate): string {
  const name = commandPath(command).join('-');
  const isSingle = command.commands.length === 0;
  return [
    `.TH ${name.toUpperCase()} 1 ${release.date} "yagura ${release.version}"`,
    '.SH NAME',
    `${escapeRoff(name)} \\- ${escapeRoff(command.description())}`,
    '.SH SYNOPSIS',
    ...leafCommands(command).map((leaf) => `.B ${usageOf(leaf)}\n.br`),
    ...optionsOf('.SH OPTIONS', command),
    ...leafCommands(command)
      .filter((leaf) => leaf !== command)
      .flatMap((leaf) => [
        `.SH ${escapeRoff(commandPath(leaf).slice(1).join(' ')).toUpperCase()}`,
        escapeRoff(leaf.description()),
        ...leaf.registeredArguments
          .filter((argument) => argument.description)
          .map((argument) => `.TP\n.I ${escapeRoff(argument.name())}\n${escapeRoff(argument.description)}`),
        ...optionsOf('', leaf),
      ]),
    '.SH EXAMPLES',
    ...leafCommands(command).flatMap(exampleText),
    '.SH EXIT STATUS',
    ...exitMeanings(t, isSingle ? command : undefined).map(([code, meaning]) =>
      itemText(String(code), meaning),
    ),
    '.SH ENVIRONMENT',
    ...environmentVariables.map(([names, key]) => itemText(names, t(key))),
    '.SH SEE ALSO',
    escapeRoff(release.seeAlso.join(', ')),
    '',
  ].join('\n');
}

function usageOf(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return escapeRoff([...commandPath(command), ...words].join(' '));
}

function optionsOf(heading: string, command: Command): string[] {
  if (command.options.length === 0) return [];
  return [...(heading ? [heading] : []), ...command.options.map(optionText)];
}

const optionText = (option: Option) => itemText(option.flags, option.description);

function itemText(term: string, description: string): string {
  return `.TP\n.B ${escapeRoff(term)}\n${escapeRoff(description)}`;
}

/** The description of a command, followed by its examples on lines of their own. */
function exampleText(command: Command): string[] {
  const lines = examplesOf(command).map(escapeRoff);
  return ['.PP', escapeRoff(command.description()), '.PP', '.RS', '.nf', ...lines, '.fi', '.RE'];
}

/** Escapes roff syntax: backslashes, hyphens, and a dot or quote at the start of a line. */
function escapeRoff(plain: string): string {
  return plain
    .replace(/\\/g, '\\e')
    .replace(/-/g, '\\-')
    .split('\n')
    .map((line) => (/^[.']/.test(line) ? `\\&${line}` : line))
    .join('\n');
}
