import { expect, test } from 'vitest';
import { testTerminal } from '../../../test/test-terminal.ts';
import { createFullProgram } from '../../reference/full-program.ts';
import type { Command } from '../command.ts';
import { commandPath } from '../command-path.ts';
import { permissionItems } from './help-sections.ts';
import { operationsOfCommands } from './permissions.ts';

const { terminal } = await testTerminal({});
const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : (command.commands as Command[]).flatMap(leavesOf);
const leaves = new Map(
  leavesOf(createFullProgram(terminal)).map((leaf) => [commandPath(leaf).slice(1).join(' '), leaf]),
);

test.each([
  ['alerthub scopes list', [['alerthub:scopes:list', 'alerthub:viewer, alerthub:administrator']]],
  ['alerthub scopes delete', [['alerthub:scopes:delete', 'alerthub:administrator']]],
  ['alerthub actions test', [['alerthub:actions:test', 'alerthub:administrator']]],
  [
    'alerts',
    [
      ['alerthub:scopes:list', 'alerthub:viewer, alerthub:administrator'],
      ['alerthub:events:list', 'alerthub:viewer, alerthub:administrator'],
    ],
  ],
  ['space api-tokens create', [['space:api-tokens:create', 'privileged users only']]],
  ['apply', []],
  ['profile show', []],
])('%s names its permissions and the roles that grant them', (path, expected) => {
  expect(permissionItems(leaves.get(path)!, terminal.t)).toEqual(expected);
});

test.each(Object.keys(operationsOfCommands))('%s is a command whose operations exist', (path) => {
  expect(permissionItems(leaves.get(path)!, terminal.t)).toHaveLength(operationsOfCommands[path]!.length);
});
