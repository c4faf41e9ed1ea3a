// Generates manual pages (man(7)) from the command definitions.
import type { Command, Option } from 'commander';

/** One page for a command and its subcommands. `date` is YYYY-MM-DD. */
export function formatManPage(command: Command, release: { version: string; date: string }): string {
  const name = commandPath(command).join('-');
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
    '',
  ].join('\n');
}

/** Names of the parent commands followed by the command's own. */
export function commandPath(command: Command): string[] {
  return command.parent ? [...commandPath(command.parent), command.name()] : [command.name()];
}

/** The executable subcommands, or the command itself when it has none. */
export function leafCommands(command: Command): Command[] {
  const shown = command.commands.filter((one) => !one.name().startsWith('__'));
  return shown.length === 0 ? [command] : shown.flatMap(leafCommands);
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

function optionText(option: Option): string {
  return `.TP\n.B ${escapeRoff(option.flags)}\n${escapeRoff(option.description)}`;
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
