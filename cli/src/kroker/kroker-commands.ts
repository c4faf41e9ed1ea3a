// Defines the commands of a Kroker machine and those that encrypt credentials for it.
import type { Command } from '../command-line/command.ts';
import { referenceHelp } from '../resource/commands.ts';
import { resourceNamed } from '../resource/meta/resource-client.ts';
import type { Terminal } from '../terminal/terminal.ts';

export function addKrokerCommands(app: Command, terminal: Terminal): void {
  const { t } = terminal;
  app
    .command('setup')
    .description(t('cli.kroker.setup'))
    .argument('[url]', t('cli.login.url'))
    .option('--name <name>', t('cli.kroker.name'))
    .option('--file <file>', t('cli.kroker.file'))
    .option('--replace', t('cli.kroker.replace'))
    .action(async (url, options) => (await import('./setup.ts')).setUpKroker(terminal, url, options));
  app
    .command('check')
    .description(t('cli.kroker.check'))
    .option('--file <file>', t('cli.kroker.file'))
    .action(async (options) => (await import('./check.ts')).checkKroker(terminal, options));
  const credentials = app.commands.find((command) => command.name() === 'credentials') as Command;
  credentials
    .command('create')
    .alias('new')
    .description(t('cli.kroker.create'))
    .option('--kroker <kroker>', referenceHelp(resourceNamed('kroker'), terminal))
    .requiredOption('--display-name <name>', t('label.displayName'))
    .option('--remarks <text>', t('label.remarks'))
    .option('--username <name>', t('label.username'))
    .option('--key-file <file>', t('cli.kroker.key-file'))
    .option('--passphrase-file <file>', t('cli.kroker.passphrase-file'))
    .action(async (options) => (await import('./create-credential.ts')).createCredential(terminal, options));
}
