// Defines the Pigeon commands that are not derived from resources.
import type { Command } from '../command-line/command.ts';
import { addDataOptions } from '../command-line/data-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { abortResult, startCall } from './call.ts';

export function addResultCommands(app: Command, terminal: Terminal): void {
  const results = app.commands.find((command) => command.name() === 'results') as Command;
  results.commands
    .find((command) => command.name() === 'show')
    ?.action(async (item, options) => (await import('./show-result.ts')).showResult(terminal, item, options));
  results
    .command('abort')
    .description(terminal.t('cli.call.abort'))
    .argument('<item>', terminal.t('cli.argument.id', { field: 'resultId' }))
    .action(async (item) => abortResult(terminal, item));
}

export function addCallCommand(root: Command, terminal: Terminal): void {
  const { t } = terminal;
  addDataOptions(
    root
      .command('call')
      .description(t('cli.call.about'))
      .argument('<callflow>', t('cli.call.callflow'))
      .requiredOption('--guidance <guidance>', t('cli.call.guidance'))
      .option('--param <key=value>', t('cli.call.param'), (value: string, before: string[] = []) => [
        ...before,
        value,
      ])
      .option('--wait', t('cli.call.wait'))
      .option('--timeout <seconds>', t('cli.call.timeout')),
    t,
  ).action(async (callflow, options) => startCall(terminal, callflow, options));
}
