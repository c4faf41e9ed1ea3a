// Defines the Pigeon commands that are not derived from resources.
import type { Command } from '../command-line/command.ts';
import { addDataOptions } from '../command-line/data-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { abortResult, startCall, startTestCall } from './call.ts';
import { addGuidanceCommands } from './guidance-commands.ts';

export function addPigeonCommands(app: Command, terminal: Terminal): void {
  addGuidanceCommands(app, terminal);
  const { t } = terminal;
  const results = app.commands.find((command) => command.name() === 'results') as Command;
  results.commands
    .find((command) => command.name() === 'show')
    ?.action(async (item, options) => (await import('./show-result.ts')).showResult(terminal, item, options));
  results
    .command('abort')
    .description(terminal.t('cli.call.abort'))
    .argument('<item>', terminal.t('cli.argument.id', { field: 'resultId' }))
    .action(async (item) => abortResult(terminal, item));
  const phone = app.commands.find((command) => command.name() === 'mock-phone') as Command;
  phone
    .command('heard')
    .description(t('cli.mock-phone.heard'))
    .argument('<call>', t('cli.argument.id', { field: 'mockCallId' }))
    .option('--to <file>', t('cli.guidance.to'))
    .action(async (call, options) => (await import('./mock-phone.ts')).saveHeard(terminal, call, options));
  addDataOptions(
    app
      .command('preview')
      .description(t('cli.preview'))
      .argument('<callflow>', t('cli.call.callflow'))
      .requiredOption('--guidance <guidance>', t('cli.call.guidance'))
      .option('--param <key=value>', t('cli.call.param'), collect)
      .option('--assume <callee>', t('cli.preview.assume', { forms: calleeForms }))
      .option('--phone <position=callee>', t('cli.preview.phone'), collect),
    t,
  ).action(async (callflow, options) =>
    (await import('./preview.ts')).previewCalls(terminal, callflow, options),
  );
  addDataOptions(
    app
      .command('call')
      .description(t('cli.call-test'))
      .requiredOption('--test <contact>', t('cli.call-test.contact'))
      .option('--phone <position>', t('cli.call-test.phone'))
      .option('--timeout <seconds>', t('cli.call.timeout')),
    t,
  ).action(async (options) => startTestCall(terminal, options));
}

const calleeForms = 'noAnswer, noInput, busy, unreachable, hangsUp, key:1, key:1:2';

const collect = (value: string, before: string[] = []) => [...before, value];

export function addCallCommand(root: Command, terminal: Terminal): void {
  const { t } = terminal;
  addDataOptions(
    root
      .command('call')
      .description(t('cli.call.about'))
      .argument('<callflow>', t('cli.call.callflow'))
      .requiredOption('--guidance <guidance>', t('cli.call.guidance'))
      .option('--param <key=value>', t('cli.call.param'), collect)
      .option('--wait', t('cli.call.wait'))
      .option('--timeout <seconds>', t('cli.call.timeout')),
    t,
  ).action(async (callflow, options) => startCall(terminal, callflow, options));
}
