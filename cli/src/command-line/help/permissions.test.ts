import { permissionFor } from '@yagura/core/resource/required-permission';
import { expect, test } from 'vitest';
import { testTerminal } from '../../../test/test-terminal.ts';
import { createFullProgram } from '../../reference/full-program.ts';
import { resources } from '../../resource/meta/resources.ts';
import type { Command } from '../command.ts';
import { commandPath } from '../command-path.ts';
import { permissionItems } from './help-sections.ts';
import { writtenPermissions } from './permissions.ts';

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

const known = new Set(
  resources.flatMap((meta) =>
    [...meta.verbs, ...Object.keys(meta.calls)].map((name) => permissionFor(meta, name)),
  ),
);

test.each(Object.entries(writtenPermissions))(
  '%s is a command and needs permissions that exist',
  (path, permissions) => {
    expect(leaves.has(path)).toBe(true);
    expect(permissions.filter((permission) => !known.has(permission))).toEqual([]);
  },
);
