// Defines the Sonar commands that are not derived from resources.
import type { Command } from '../command-line/command.ts';
import { addDataOptions } from '../command-line/data-options.ts';
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

/** Search terms need no quotes: `yagura sonar search os:debian AND ssh`. */
export function addSearchCommand(app: Command, terminal: Terminal): void {
  const { t } = terminal;
  addDataOptions(
    app
      .command('search')
      .description(t('cli.search'))
      .argument('[query...]', t('cli.search.query'))
      .option('-L, --limit <count>', t('cli.option.limit'))
      .option('--offset <count>', t('cli.option.offset'))
      .option('--columns <fields>', t('cli.option.columns')),
    t,
  ).action(async (query, options) => (await import('./search.ts')).search(terminal, query, options));
}
