// Defines the Greac commands that are not derived from resources.
import type { Command } from '../command-line/command.ts';
import type { Terminal } from '../terminal/terminal.ts';

export function addSessionCommands(app: Command, terminal: Terminal): void {
  const { t } = terminal;
  const sessions = app.commands.find((command) => command.name() === 'sessions') as Command;
  sessions
    .command('log')
    .description(t('cli.session-log'))
    .argument('<session>', t('cli.argument.id', { field: 'sessionId' }))
    .option('--kind <kind>', t('cli.session-log.kind'))
    .option('--identity <file>', t('cli.session-log.identity'))
    .option('-o, --output <file>', t('cli.session-log.output'))
    .action(async (session, options) =>
      (await import('./session-log.ts')).downloadSessionLog(terminal, session, options),
    );
}
