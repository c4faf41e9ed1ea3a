// Defines the AlertHub commands that are not derived from resources.
import type { Command } from '../command-line/command.ts';
import { addDataOptions } from '../command-line/data-options.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { resourceNamed } from '../resource/meta/resource-client.ts';
import { create } from '../resource/write.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { showAlerts } from './alerts.ts';
import { saveMessageFile } from './message-file.ts';
import { createFromRecipeCommand, listRecipes } from './recipes.ts';
import { testRule } from './rule-test.ts';
import { sendMessage } from './send-message.ts';
import { showWhy } from './show-why.ts';

export function addMessageCommands(app: Command, terminal: Terminal): void {
  const { t } = terminal;
  const messages = app.commands.find((command) => command.name() === 'messages') as Command;
  addDataOptions(
    messages
      .command('send')
      .description(t('cli.send'))
      .requiredOption('--slot <slot>', t('cli.send.slot'))
      .option('--file <file>', t('cli.send.file'))
      .option('--header <name=value>', t('cli.send.header'), (value: string, before: string[] = []) => [
        ...before,
        value,
      ])
      .option('--content-type <type>', t('cli.send.content-type'))
      .option('--wait', t('cli.send.wait'))
      .option('--timeout <seconds>', t('cli.send.timeout')),
    t,
  ).action(async (options) => sendMessage(terminal, options));
  const save = (name: 'raw' | 'attachment' | 'html') => {
    const command = messages
      .command(name)
      .description(t(`cli.message.${name}`))
      .argument('<message>', t('cli.argument.id', { field: 'messageId' }));
    if (name === 'attachment') command.argument('<index>', t('cli.message.index'));
    command
      .option('--to <file>', t(name === 'attachment' ? 'cli.message.attachment-to' : 'cli.message.to'))
      .action(async (...args) =>
        name === 'attachment'
          ? saveMessageFile(terminal, name, args[0], args[1], args[2])
          : saveMessageFile(terminal, name, args[0], undefined, args[1]),
      );
  };
  save('raw');
  save('attachment');
  save('html');
}

export function addReceiveSlotCommands(app: Command, terminal: Terminal): void {
  const { t } = terminal;
  const slots = app.commands.find((command) => command.name() === 'receive-slots') as Command;
  addDataOptions(slots.command('recipes').description(t('recipe.cli-list')), t).action(async (options) =>
    listRecipes(terminal, options),
  );
  slots.commands
    .find((command) => command.name() === 'create')
    ?.option('--recipe <recipe>', t('recipe.cli-recipe'))
    .option('--scope <scope>', t('recipe.cli-scope'))
    .action(async ({ recipe, scope, ...options }) => {
      if (recipe !== undefined) return createFromRecipeCommand(terminal, { ...options, recipe, scope });
      if (scope !== undefined) throw new UsageError('cli.usage.missing-flag', { flag: '--recipe' });
      return create(terminal, resourceNamed('receive-slot'), options);
    });
}

export function addRuleCommands(app: Command, terminal: Terminal): void {
  const { t } = terminal;
  const rules = app.commands.find((command) => command.name() === 'rules') as Command;
  addDataOptions(
    rules
      .command('test')
      .description(t('cli.rule-test'))
      .argument('[rule]', t('cli.rule-test.rule'))
      .option('--input <file>', t('cli.option.input'))
      .option('--message <message>', t('cli.rule-test.message'))
      .option('--since <time>', t('cli.rule-test.since'))
      .option('--file <file>', t('cli.send.file')),
    t,
  ).action(async (rule, options) => testRule(terminal, rule, options));
}

export function addAlertCommands(root: Command, terminal: Terminal): void {
  const { t } = terminal;
  addDataOptions(
    root
      .command('alerts')
      .description(t('cli.alerts'))
      .option('-w, --watch', t('cli.alerts.watch'))
      .option('--every <seconds>', t('cli.alerts.every'))
      .option('--unacknowledged', t('cli.alerts.unacknowledged')),
    t,
  ).action(async (options) => showAlerts(terminal, options));
  addDataOptions(
    root
      .command('why')
      .description(t('cli.why'))
      .argument('<id>', t('cli.why.id'))
      .option('--event', t('cli.why.event')),
    t,
  ).action(async (id, { event, ...options }) =>
    event
      ? (await import('./show-event-why.ts')).showEventWhy(terminal, id, options)
      : showWhy(terminal, id, options),
  );
}
