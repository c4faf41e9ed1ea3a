// The sections below the options in the help: examples, exit codes and, at the root, the environment.
import type { Translate } from '@yagura/core/i18n/translator';
import type { Command } from 'commander';
import { environmentVariables } from './environment.ts';
import { examplesOf } from './examples.ts';
import { exitMeanings } from './exit-meanings.ts';

export interface HelpSection {
  title: string;
  /** A term with its description, or an example without one. */
  items: readonly (readonly [term: string, description: string])[];
}

export function helpSections(command: Command, t: Translate): HelpSection[] {
  const isRoot = command.parent === null;
  const isGroup = command.commands.length > 0;
  if (isGroup && !isRoot) return [];
  return [
    isRoot
      ? {
          title: t('cli.help.environment'),
          items: environmentVariables.map(([names, key]) => [names, t(key)]),
        }
      : { title: t('cli.help.examples'), items: examplesOf(command).map((line) => [line, '']) },
    {
      title: t('cli.help.exit-codes'),
      items: exitMeanings(t, isRoot ? undefined : command).map(([code, meaning]) => [String(code), meaning]),
    },
  ];
}
