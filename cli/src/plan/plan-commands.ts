// Defines `plan` and `apply`: compare configuration files with a space, and apply the differences.
import type { Command } from '../command-line/command.ts';
import { detailedExitCodeFlag } from '../command-line/report-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Loaded on demand because they import the schemas. */
export function addPlanCommands(root: Command, terminal: Terminal): void {
  const { t } = terminal;
  root
    .command('plan')
    .description(t('plan.about'))
    .argument('<dir>', t('plan.dir'))
    .option('--prune', t('plan.prune'))
    .option('--save <file>', t('plan.save'))
    .option('-o, --output <format>', t('plan.output'))
    .option(detailedExitCodeFlag, t('plan.detailed-exitcode'))
    .action(async (dir, options) => (await import('./plan.ts')).runPlan(terminal, dir, options));
  root
    .command('apply')
    .description(t('apply.about'))
    .argument('<plan>', t('apply.plan'))
    .option('--prune', t('plan.prune'))
    .option('--rollback <file>', t('apply.rollback'))
    .option('-y, --yes', t('cli.option.yes'))
    .option('-o, --output <format>', t('plan.output'))
    .option(detailedExitCodeFlag, t('plan.detailed-exitcode'))
    .action(async (dir, options) => (await import('./apply.ts')).applyPlan(terminal, dir, options));
}
