// Builds the complete command tree; a normal run builds only the branch it needs.

import type { Command } from '../command-line/command.ts';
import { createProgram } from '../program.ts';
import { apps } from '../resource/commands.ts';
import { resources } from '../resource/meta/resources.ts';
import type { Terminal } from '../terminal/terminal.ts';

export function createFullProgram(terminal: Terminal): Command {
  return createProgram(terminal, [...apps, ...resources.flatMap(({ name, plural }) => [plural, name])], true);
}
