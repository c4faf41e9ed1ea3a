// Defines the Sonar commands that are not derived from resources.
import type { Command } from '../command-line/command.ts';
import { addDataOptions, addPageOptions } from '../command-line/data-options.ts';
import { detailedExitCodeFlag } from '../command-line/report-error.ts';
import { filterHelp } from '../resource/commands.ts';
import { resourceNamed } from '../resource/meta/resource-client.ts';
import type { Terminal } from '../terminal/terminal.ts';

export function addScanCommand(root: Command, terminal: Terminal): void {
  const { t } = terminal;
  addDataOptions(
    root
      .command('scan')
      .description(t('cli.scan'))
      .argument('<network>', t('cli.argument.item'))
      .option('--wait', t('cli.scan.wait'))
      .option('--timeout <seconds>', t('cli.call.timeout')),
    t,
  ).action(async (network, options) => (await import('./scan.ts')).scan(terminal, network, options));
}

export function addDiffCommand(app: Command, terminal: Terminal): void {
  const { t } = terminal;
  addDataOptions(
    app
      .command('diff')
      .description(t('cli.diff'))
      .argument('<network>', t('cli.argument.item'))
      .argument('[snapshot]', t('cli.diff.snapshot'))
      .argument('[base]', t('cli.diff.base'))
      .option('--filter <filter>', filterHelp(resourceNamed('snapshot-difference'), t))
      .option('-L, --limit <count>', t('cli.diff.limit'))
      .option('--columns <fields>', t('cli.option.columns'))
      .option(detailedExitCodeFlag, t('cli.diff.detailed-exitcode')),
    t,
  ).action(async (network, snapshot, base, options) =>
    (await import('./diff.ts')).diff(terminal, network, snapshot, base, options),
  );
}

/** Search terms need no quotes: `yagura sonar search version:debian AND port:22`. */
export function addSearchCommand(app: Command, terminal: Terminal): void {
  const { t } = terminal;
  addPageOptions(
    app.command('search').description(t('cli.search')).argument('[query...]', t('cli.search.query')),
    t,
  ).action(async (query, options) => (await import('./search.ts')).search(terminal, query, options));
}
