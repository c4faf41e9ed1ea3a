// Positions of commands in the tree.
import type { Command } from 'commander';

/** Names of the parent commands followed by the command's own. */
export function commandPath(command: Command): string[] {
  return command.parent ? [...commandPath(command.parent), command.name()] : [command.name()];
}

/** The executable subcommands, or the command itself when it has none. */
export function leafCommands(command: Command): Command[] {
  const shown = command.commands.filter((one) => !one.name().startsWith('__'));
  return shown.length === 0 ? [command] : shown.flatMap(leafCommands);
}
