// Exit codes with their meanings, from the tables that produce them.
import { problemKinds } from '@yagura/core/http/problem';
import type { Translate } from '@yagura/core/i18n/translator';
import type { Command } from 'commander';
import { signalExitCodes } from '../interruption.ts';
import { detailedExitCodeFlag, exitCodes } from '../report-error.ts';

/** The exit codes that a command can end with, in ascending order. */
export function exitMeanings(t: Translate, command?: Command): [code: number, meaning: string][] {
  const has = (flag: string) => command === undefined || command.options.some(({ long }) => long === flag);
  const meanings = new Map<number, string>([
    [exitCodes.ok, t('cli.reference.exit-ok')],
    [exitCodes.problem, t('cli.reference.exit-failed')],
    [
      exitCodes.usage,
      t(command && has(detailedExitCodeFlag) ? 'cli.reference.exit-changes' : 'cli.reference.exit-usage'),
    ],
  ]);
  for (const [kind, { exit }] of Object.entries(problemKinds)) {
    if (!meanings.has(exit))
      meanings.set(exit, t(`problem.${kind as keyof typeof problemKinds}`).replace(/[.。]$/, ''));
  }
  // Only commands that wait have a time limit after which they leave the operation running.
  if (has('--timeout')) meanings.set(exitCodes.running, t('cli.reference.exit-running'));
  meanings.set(signalExitCodes.SIGINT, t('cli.reference.exit-interrupted'));
  // Every command ends so, which is told once for all.
  if (!command) {
    meanings.set(signalExitCodes.SIGHUP, t('cli.reference.exit-hung-up'));
    meanings.set(signalExitCodes.SIGTERM, t('cli.reference.exit-terminated'));
  }
  return [...meanings].sort(([a], [b]) => a - b);
}
