// Defines the Ksocket commands that are not derived from resources.
import type { Command } from '../command-line/command.ts';
import type { Terminal } from '../terminal/terminal.ts';

export function addKsocketCommands(app: Command, terminal: Terminal): void {
  const { t } = terminal;
  app
    .command('install')
    .description(t('cli.ksocket.install'))
    .argument('<slot>', t('cli.argument.item'))
    .option('--display-name <name>', t('cli.ksocket.install.display-name'), 'agent')
    .action(async (slot, options) => (await import('./install.ts')).printInstall(terminal, slot, options));
}
