// The sections below the options in the help: examples, permissions, exit codes and, at the root, the environment.
import { rolesGranting } from '@yagura/core/access/permissions';
import { roleMap } from '@yagura/core/access/role-map';
import type { Translate } from '@yagura/core/i18n/translator';
import type { Command } from 'commander';
import { environmentVariables } from './environment.ts';
import { examplesOf } from './examples.ts';
import { exitMeanings } from './exit-meanings.ts';
import { permissionsOf } from './permissions.ts';

export interface HelpSection {
  title: string;
  /** A term with its description, or an example without one. */
  items: readonly (readonly [term: string, description: string])[];
}

export function helpSections(command: Command, t: Translate): HelpSection[] {
  const isRoot = command.parent === null;
  const isGroup = command.commands.length > 0;
  if (isGroup && !isRoot) return [];
  const permissions = permissionItems(command, t);
  return [
    isRoot
      ? {
          title: t('cli.help.environment'),
          items: environmentVariables.map(([names, key]) => [names, t(key)]),
        }
      : { title: t('cli.help.examples'), items: examplesOf(command).map((line) => [line, '']) },
    ...(permissions.length > 0 ? [{ title: t('cli.help.permissions'), items: permissions }] : []),
    {
      title: t('cli.help.exit-codes'),
      items: exitMeanings(t, isRoot ? undefined : command).map(([code, meaning]) => [String(code), meaning]),
    },
  ];
}

/** Each permission with the roles that grant it. */
export function permissionItems(command: Command, t: Translate): [permission: string, roles: string][] {
  return permissionsOf(command).map((permission) => {
    const roles = rolesGranting(permission, roleMap);
    return [permission, roles.length > 0 ? roles.join(', ') : t('cli.help.privileged-only')];
  });
}
