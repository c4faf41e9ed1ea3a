// The whole tree of commands. A run plants only the part that its words ask for.
import { program } from '../program.ts';
import { catalogue } from '../resource/catalogue.ts';
import { apps } from '../resource/commands.ts';
import type { Command } from '../term/command.ts';
import type { Terminal } from '../term/terminal.ts';

export function wholeProgram(terminal: Terminal): Command {
  return program(terminal, [...apps, ...catalogue.flatMap(({ name, plural }) => [plural, name])], true);
}
