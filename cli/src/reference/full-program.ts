// The whole tree of commands. A run plants only the part that its words ask for.

import type { Command } from '../command-line/command.ts';
import { createProgram } from '../program.ts';
import { apps } from '../resource/commands.ts';
import { resources } from '../resource/meta/resources.ts';
import type { Terminal } from '../terminal/terminal.ts';

export function createFullProgram(terminal: Terminal): Command {
  return createProgram(terminal, [...apps, ...resources.flatMap(({ name, plural }) => [plural, name])], true);
}
